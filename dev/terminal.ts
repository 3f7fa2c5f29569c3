import { currentCode } from './demo/codes.ts'
import type { Ready } from './ready.ts'

/** Start failure that the user can correct: shown without a stack. */
export class CannotStart extends Error {}

/** Failure of a step that no sentence foresaw, with its cause. */
export class StepFailed extends Error {
  constructor(
    readonly step: string,
    cause: unknown,
  ) {
    super(`${step} failed`, { cause })
  }
}

/** Says that a folder's disk is full, and what to do. */
export const sayFull = (folder: string): string =>
  `The disk of ${folder} is full: free a gigabyte of it, or name a folder on another disk in DATA_DIR.`

export const say = (line: string): void => console.log(line)

export async function step<Result>(
  name: string,
  work: () => Promise<Result>,
  describe: (result: Result) => string = () => '',
  isHeard: () => boolean = () => true,
): Promise<Result> {
  const begun = performance.now()
  const result = await work().catch((error: unknown) => {
    throw error instanceof CannotStart ? error : new StepFailed(name, error)
  })
  const line = `  ${name.padEnd(20)} ${seconds(performance.now() - begun).padStart(7)}   ${describe(result)}`
  if (isHeard()) say(line.trimEnd())
  return result
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const quote = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** Prints what is ready. `dataDir` is null if commands find it by default. */
export async function welcome(
  { api_url, temporal_ui_url, temporal_address, database_url, demo }: Ready,
  { file, dataDir, waiting, took }: { file: string; dataDir: string | null; waiting: number; took: string },
): Promise<void> {
  const here = dataDir === null ? '' : `DATA_DIR=${quote(dataDir)} `
  const { email, password, totp_secret } = demo.owner
  const json = `-H 'content-type: application/json'`
  const field = (name: string) => `node -pe 'JSON.parse(fs.readFileSync(0)).${name}'`
  const signIn = `curl -s ${api_url}/api/v1/auth/sign-in ${json} -d '${JSON.stringify({ email, password })}'`
  const code = `${here}npx tsx dev/code.ts`
  const mfa = `-d '{"challenge_token":"'"$CHALLENGE"'","code":"'"$(${code})"'"}'`
  const now = await currentCode(totp_secret)
  say(`
Ready in ${took}.

  API           ${api_url}   (reference: ${api_url}/docs)
  Operators     ${api_url}/operate
  Temporal UI   ${temporal_ui_url ?? '(yours)'}   (server: ${temporal_address})
  Database      ${new URL(database_url).host}${new URL(database_url).pathname}
  All of this   ${file}

Sign in over the API from another terminal, then pay on every rail by ${here}npm run demo:

  CHALLENGE=$(${signIn} | ${field('challenge_token')})
  TOKEN=$(curl -s ${api_url}/api/v1/auth/mfa ${json} ${mfa} | ${field('token')})
  curl -s ${api_url}/api/v1/me -H "authorization: Bearer $TOKEN"

Ctrl-C stops everything; the data stays.

${waiting === 1 ? '1 request waits' : `${waiting} requests wait`} for your approval:

  Open          ${api_url}/approve
  E-mail        ${email}
  Password      ${password}
  Code          ${now.code}   (good for ${now.seconds} s, and once; the next one: ${process.stdin.isTTY ? 'press Enter' : code})
`)
  if (process.stdin.isTTY) showCodes(totp_secret)
}

/** Shows the current code whenever a person presses Enter. */
function showCodes(secret: string): void {
  process.stdin.on('data', () => {
    void currentCode(secret).then(({ code, seconds: left }) =>
      say(`  Code          ${code}   (good for ${left} s, and once)`),
    )
  })
  process.stdin.unref()
}
