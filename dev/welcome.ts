/** What a person sees once everything is ready: where it is, who to be, and lines to copy. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Demo } from './demo-organization.ts'
import { say } from './progress.ts'

/** The content of dev.json. */
export type Ready = {
  api_url: string
  temporal_ui_url: string | null
  temporal_address: string
  database_url: string
  sandbox_partners_url: string
  demo: Demo
}

export function welcome(
  { api_url, temporal_ui_url, temporal_address, database_url, demo }: Ready,
  file: string,
  took: string,
): void {
  const { email, password, totp_secret } = demo.owner
  const json = `-H 'content-type: application/json'`
  const field = (name: string) => `node -pe 'JSON.parse(fs.readFileSync(0)).${name}'`
  const signIn = `curl -s ${api_url}/api/v1/auth/sign-in ${json} -d '${JSON.stringify({ email, password })}'`
  const code = `npx tsx ${relative(process.cwd(), fileURLToPath(new URL('./code.ts', import.meta.url)))}`
  const mfa = `-d '{"challenge_token":"'"$CHALLENGE"'","code":"'"$(${code})"'"}'`
  say(`
Ready in ${took}.

  API           ${api_url}   (reference: ${api_url}/docs)
  Temporal UI   ${temporal_ui_url ?? '(yours)'}   (server: ${temporal_address})
  Database      ${new URL(database_url).host}${new URL(database_url).pathname}
  All of this   ${file}

  Demo owner    ${email}
  Password      ${password}
  Authenticator ${totp_secret}   (current code: ${code})

Sign in from another terminal:

  CHALLENGE=$(${signIn} | ${field('challenge_token')})
  TOKEN=$(curl -s ${api_url}/api/v1/auth/mfa ${json} ${mfa} | ${field('token')})
  curl -s ${api_url}/api/v1/me -H "authorization: Bearer $TOKEN"

Then: npm run demo. Ctrl-C stops everything; the data stays.`)
}
