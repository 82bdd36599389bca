// One whole workflow with the client that @hey-api/openapi-ts generates beside this file, in ./client.
//
// usage: node workflow.js REST_BASE TOKEN

import assert from 'node:assert/strict';
import { executeOperation, getCapability, searchCapabilities, submitFeedback } from './client/index.js';
import { client } from './client/client.gen.js';

const [base, token] = process.argv.slice(2);
client.setConfig({ baseUrl: base, auth: () => token });

const found = await searchCapabilities({ query: { query: 'add an author profile for our blog', limit: 3 } });
assert.ok(found.data, JSON.stringify(found.error));
const { intent_ref, results } = found.data.data;
const operation_id = results[0].operation_id;
assert.equal(operation_id, 'authors.create');

const contract = await getCapability({ path: { operation_id }, query: { intent_ref } });
assert.ok(contract.data, JSON.stringify(contract.error));
assert.equal(contract.data.data.idempotency_key, 'required');

const execute = (lastname: string, key: string) => executeOperation({
  path: { operation_id },
  headers: { 'Idempotency-Key': key, 'Service-Intent-Ref': intent_ref },
  body: { firstname: 'Ada', lastname },
});
const key = `generated-ts-${Date.now()}`;
const first = await execute('Lovelace', key);
assert.ok(first.data, JSON.stringify(first.error));
const again = await execute('Lovelace', key);
assert.deepEqual(again.data, first.data, 'a replay is the first answer');
assert.equal(again.response?.headers.get('idempotent-replayed'), 'true');
const changed = await execute('Byron', key);
assert.equal(changed.response?.status, 409);
assert.equal(changed.error?.error.code, 'idempotency_key_conflict');

const feedback = await submitFeedback({
  body: { category: 'wrong_result', completion_state: 'partial', intent: 'Add an author profile', intent_ref },
});
assert.ok(feedback.data, JSON.stringify(feedback.error));
console.log(JSON.stringify({ executed: operation_id, replayed: true, conflict: 409, feedback: feedback.data.data.feedback_ref }));
