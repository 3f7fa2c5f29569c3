/** `npm run admin -- organization ban <id>`: what an operator decides, in one line each, with what the API may and no more. */
import { fileURLToPath } from 'node:url'
import { failHeldPayout } from './activities/partners/payout-recovery.ts'
import { assignUnmatched, returnUnmatched } from './activities/partners/deposits.ts'
import './db/registries/approval-targets.ts' // approvals find what waits for them there
import { openFindings, resumeBooks } from './db/audit/findings.ts'
import { Refusal } from './db/model/errors.ts'
import { type OrganizationId, type PaymentId, isUuid } from './db/model/ids.ts'
import { organizationFlow } from './db/model/flows/organization.ts'
import { endEverySession } from './db/sign-in/sign-out.ts'
import { type OperatorCommand, moveOrganization } from './db/organizations/status.ts'
import { sql } from './db/sql.ts'
import { listUnmatched } from './db/deposits/unmatched.ts'
import { announceCommits, announced } from './temporal/announce.ts'
import { connection } from './temporal/client.ts'
import { listProcesses, restartProcess, showProcess } from './temporal/operations.ts'

const COMMANDS = Object.keys(organizationFlow.events)
const USAGE = `usage: npm run admin -- organization ${COMMANDS.join('|')} <id>
       npm run admin -- person end-sessions <email>
       npm run admin -- books resume <organization id>
       npm run admin -- books findings
       npm run admin -- payments fail <id> <reason>
       npm run admin -- deposits unmatched
       npm run admin -- deposits assign <id> <organization id>
       npm run admin -- deposits return <id>
       npm run admin -- processes list
       npm run admin -- processes show|restart <id>`

/** Does what the words say, and returns a line that tells it. Throws a Refusal, or an Error with the usage. */
export async function administer(words: readonly string[]): Promise<string> {
  const [noun, command = '', target = '', ...more] = words
  if (more.length === 0 && noun === 'organization' && isCommand(command) && isUuid(target)) {
    // A checked uuid is what the brand stands for.
    const { status, cancelled, keysRevoked } = await moveOrganization(target.toLowerCase() as OrganizationId, command)
    const stopped = `${cancelled} waiting requests cancelled, ${keysRevoked} API keys revoked`
    return `organization ${target} is ${status}: ${stopped}`
  }
  if (more.length === 0 && noun === 'person' && command === 'end-sessions' && target.includes('@')) {
    return `${target} is signed out everywhere: ${await endEverySession(target)} sessions ended`
  }
  if (more.length === 0 && noun === 'books' && command === 'resume' && isUuid(target)) {
    await resumeBooks(target.toLowerCase() as OrganizationId)
    return `organization ${target} moves money again; the next audit stops it where its books are still wrong`
  }
  if (words.length === 2 && noun === 'books' && command === 'findings') return findings()
  if (noun === 'payments' && command === 'fail' && isUuid(target) && more.length > 0) {
    await failHeldPayout(target.toLowerCase() as PaymentId, more.join(' '))
    return `payment ${target} has failed, and its money is given back`
  }
  if (noun === 'deposits') return administerDeposits(words.slice(1))
  if (noun === 'processes') return administerProcesses(words.slice(1))
  throw new Error(USAGE)
}

const FINDINGS_MAX = 1000

/** A line for each open finding, newest first. */
async function findings(): Promise<string> {
  const open = await openFindings(FINDINGS_MAX)
  const lines = open.map(
    ({ found_at, organization_id, kind, check, subject }) =>
      `${found_at} ${organization_id ? `organization ${organization_id}` : 'all organizations'}: ${kind} ${check} ${subject}`,
  )
  return lines.length === 0 ? 'nothing is open' : lines.join('\n')
}

const UNMATCHED_MAX = 1000

/** What becomes of money that nobody could be found for. */
async function administerDeposits([command, target = '', receiver = '', ...more]: readonly string[]): Promise<string> {
  if (command === 'unmatched' && target === '') return unmatched()
  if (command === 'assign' && isUuid(target) && isUuid(receiver) && more.length === 0) {
    const booked = await assignUnmatched(target, receiver.toLowerCase() as OrganizationId)
    if (booked.kind !== 'deposit') throw new Error('an assigned deposit is one of an organization')
    return `${target} is deposit ${booked.id} of organization ${booked.organizationId}: ${booked.status}`
  }
  if (command === 'return' && isUuid(target) && receiver === '') {
    await returnUnmatched(target)
    return `${target} is returned`
  }
  throw new Error(USAGE)
}

/** A line for each deposit that waits, oldest first. */
async function unmatched(): Promise<string> {
  const lines = (await listUnmatched(UNMATCHED_MAX)).map(
    ({ id, partner, amount, account, source, is_returning, since }) =>
      `${since} ${id}: ${amount.amount} ${amount.currency} at the ${partner} for account ${account ?? '?'}, from ` +
      `${source.name ?? '?'}, reference ${source.reference ?? '?'}${is_returning ? ', is being returned' : ''}`,
  )
  return lines.length === 0 ? 'nothing is unmatched' : lines.join('\n')
}

/** Processes by the id of their row, or of their run, which ends with it. */
function administerProcesses([command, named = '', ...more]: readonly string[]): Promise<string> {
  if (command === 'list' && named === '') return listProcesses()
  const id = named.slice(-UUID_CHARACTERS).toLowerCase()
  if (more.length === 0 && isUuid(id)) {
    if (command === 'show') return showProcess(id)
    if (command === 'restart') return restartProcess(id)
  }
  throw new Error(USAGE)
}

const UUID_CHARACTERS = 36

const isCommand = (word: string): word is OperatorCommand => COMMANDS.includes(word)

/** One line for whoever typed it: what was refused and why, or what went wrong. */
function explain(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error)
  return `refused: ${error.type}${error.details ? ` ${JSON.stringify(error.details)}` : ''}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  announceCommits()
  try {
    console.log(await administer(process.argv.slice(2)))
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  }
  await announced()
  await Promise.all([sql.end({ timeout: 5 }), connection.close()])
}
