"""One whole workflow with the client that openapi-python-client generates, as the package espalier_client.

usage: PYTHONPATH=… python workflow.py REST_BASE TOKEN
"""

import json
import sys
import time

from espalier_client.api.catalog import execute_operation, get_capability, search_capabilities
from espalier_client.api.feedback import submit_feedback
from espalier_client.client import AuthenticatedClient
from espalier_client.models import ExecuteOperationBody, Feedback, FeedbackCategory, FeedbackCompletionState

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])

found = search_capabilities.sync(client=client, query="add an author profile for our blog", limit=3)
intent, operation = found.data.intent_ref, found.data.results[0].operation_id
assert operation == "authors.create", found
contract = get_capability.sync(operation, client=client, intent_ref=intent)
assert contract.data.idempotency_key == "required", contract

key = f"generated-py-{time.time_ns()}"


def execute(lastname: str):
    body = ExecuteOperationBody.from_dict({"firstname": "Ada", "lastname": lastname})
    return execute_operation.sync_detailed(
        operation, client=client, body=body, idempotency_key=key, service_intent_ref=intent,
    )


first, again, changed = execute("Lovelace"), execute("Lovelace"), execute("Byron")
assert first.status_code == 200, first
assert again.content == first.content and again.headers["idempotent-replayed"] == "true", again
assert changed.status_code == 409 and changed.parsed.error.code == "idempotency_key_conflict", changed

feedback = submit_feedback.sync(client=client, body=Feedback(
    category=FeedbackCategory.WRONG_RESULT,
    completion_state=FeedbackCompletionState.PARTIAL,
    intent="Add an author profile",
    intent_ref=intent,
))
print(json.dumps({"executed": operation, "replayed": True, "conflict": 409, "feedback": feedback.data.feedback_ref}))
