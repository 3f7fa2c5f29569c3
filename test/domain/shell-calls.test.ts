/** Parsing of a script's calls, as a shell would split them. */
import { expect, test } from 'vitest'
import { apiCallsOf } from '../support/pages/shell-calls.ts'
import { listed } from '../support/listed.ts'

test('variables, inner commands, functions, quotes and comments are followed', () => {
  const script = `
API=$(ready api_url)/api/v1
ORG=$API/organizations/$(ready organization_id)
post() { curl -s $API$1 -d "$2"; } # posts to $API/nowhere
code() { sleep $((30 - $(date +%s) % 30)); }
# curl $API/a/comment
post /auth/sign-up '{"email": "$API/no-path"}'
BILL=$API/bills/$(curl -s $ORG/bills -d "{\\"id\\": \\"$(echo "$SLOT" | field id)\\"}" | field id)
until [ "$(curl -s $BILL -H "$auth" | field status)" != pending ]; do sleep 1; done
curl -s -X PATCH $BILL -d '{
  "reference": "a | b; c"}'
curl -s "$ORG/events?limit=5" -o file
cat > file <<'CSV'
curl $API/in/a/file
CSV
curl -T file $ORG/file`
  expect(apiCallsOf(script).map(({ method, path }) => `${method} ${path}`)).toEqual(listed`
    POST /auth/sign-up | POST /organizations/{}/bills | GET /bills/{} | PATCH /bills/{}
    GET /organizations/{}/events | PUT /organizations/{}/file`)
})
