export TOKEN={token}
ask() { curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -H "Idempotency-Key: walk-$RANDOM-$RANDOM-$RANDOM" -d "$2" {url}/v1/operations/$1; echo; }
pick() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

# connect the WordPress behind the demo blog
ask connections.add '{"kind":"wordpress","name":"Blog","endpoint":"http://{blog}","credentials":{wordpress}}'

# add the blog, crawl it, and audit the crawl
SITE=$(ask websites.create '{"domain":"{blog}"}' | pick site_id)
RUN=$(ask crawl.run.start "{\"site_id\":\"$SITE\",\"rate_rps\":10}" | pick run_ref)
until ask crawl.run.get "{\"run_ref\":\"$RUN\"}" | grep -q '"state":"succeeded"'; do sleep 1; done
AUDIT=$(ask audit.run.start "{\"run_ref\":\"$RUN\"}" | pick audit_ref)
until ask audit.run.get "{\"audit_ref\":\"$AUDIT\"}" | grep -q '"state":"succeeded"'; do sleep 1; done

# what to do first
ask audit.opportunities.list "{\"site_id\":\"$SITE\",\"limit\":3}"

# mend one thing: no page has structured data; this puts some on one page of the WordPress
JOB=$(ask schema.deploy "{\"site_id\":\"$SITE\",\"items\":[{\"url\":\"http://{blog}/reading/\",\"jsonld\":\"{\\\"@context\\\":\\\"https://schema.org\\\",\\\"@type\\\":\\\"Organization\\\",\\\"name\\\":\\\"Lamps that last\\\"}\"}]}" | pick job_ref)
until ask account.job.get "{\"job_ref\":\"$JOB\"}" | grep -q '"state":"succeeded"'; do sleep 1; done
ask schema.page.extract '{"url":"http://{blog}/reading/"}'

# and take it back, byte for byte
DEPLOYMENT=$(ask schema.deployment.list "{\"site_id\":\"$SITE\",\"state\":\"live\"}" | pick deployment_ref)
ask schema.deployment.rollback "{\"deployment_ref\":\"$DEPLOYMENT\"}"
