/** `npm run admin -- organization ban <id>`: commands of an operator, each answered with one line. */
// first: it explains a start that fails in what is imported next
import { explainStart } from './platform/start-faults.ts'
import { userInfo } from 'node:os'
import { fileURLToPath } from 'node:url'
import { failHeldPayout } from './activities/payouts.ts'
import { assignUnmatched, returnUnmatched } from './activities/deposits.ts'
import {
  confirmAdjustment,
  proposeCollection,
  proposeAdjustment,
  proposeDisbursement,
  withdrawAdjustment,
} from './services/adjustments/adjustments.ts'
import { purgeAttachments } from './services/attachments/commands.ts'
import { confirmDealing, proposeDealing, settleDealing, withdrawDealing } from './services/dealings/dealings.ts'
import { unfreezeLedger } from './services/audit/findings.ts'
import { rechainEvents } from './services/events.ts'
import { endOperatorSignIns } from './services/operators/sign-ins.ts'
import { Refusal } from './domain/errors.ts'
import {
  type AdjustmentId,
  type BankFileId,
  type DealingId,
  type OfferId,
  type OrganizationId,
  type PaymentId,
  type ScreeningId,
  newId,
} from './domain/ids.ts'
import { NewOffer, OfferChanges } from './domain/subscriptions/offer.ts'
import { organizationFlow } from './domain/organizations/flow.ts'
import { announceFactorReset, cancelFactorReset } from './services/sign-in/factor-resets.ts'
import { endEverySession } from './services/sign-in/sign-out.ts'
import { cancelWithTargets } from './services/decisions/ends.ts'
import { liftByOperator } from './services/organizations/ip-allow-lists.ts'
import { type OperatorCommand, moveOrganization } from './services/organizations/status.ts'
import { endPools } from './db/postgres/sql.ts'
import {
  type Command,
  asJson,
  command,
  currency,
  email,
  filter,
  id,
  json,
  oneOf,
  operator,
  processId,
  reason,
  word,
  words,
} from './platform/commands.ts'
import { connection as connectionName, why } from './services/connections/argument.ts'
import { pauseConnection, resumeConnection } from './services/connections/pauses.ts'
import { dealing } from './services/dealings/argument.ts'
import { changeOffer, insertOffer, restoreOffer, withdrawOffer } from './services/subscriptions/offers.ts'
import { letInWithoutProvider } from './services/identity-providers/providers.ts'
import { ONBOARDING_COMMANDS } from './services/registries/onboarding-commands.ts'
import { readAgain } from './services/bank-files/lookups.ts'
import * as files from './services/registries/bank-file-texts.ts'
import * as texts from './services/registries/operator-texts.ts'
import * as screening from './services/registries/screening-texts.ts'
import { SCREENING_DECISIONS, decideScreening } from './services/screening/decisions.ts'
import { announceCommits, flushSignals } from './temporal/announce.ts'
import { connection } from './temporal/client.ts'
import { checkLive } from './temporal/live-check/live-check.ts'
import { readListsNow } from './temporal/lists-now.ts'
import { proveNow } from './temporal/proof-now.ts'
import { reconcileNow } from './temporal/reconcile-now.ts'
import { acceptLoss } from './temporal/witness.ts'
import { listProcesses, restartProcess, showProcess } from './temporal/operations.ts'

// Object.keys() forgets which keys they are.
const EVENTS = Object.keys(organizationFlow.events) as OperatorCommand[]

const COMMANDS: readonly Command[] = [
  command('organization', [oneOf(EVENTS), id<OrganizationId>()], async (event, organizationId) => {
    const { status, cancelled, keysRevoked } = await moveOrganization(organizationId, event, cancelWithTargets)
    const stopped = `${cancelled} waiting requests cancelled, ${keysRevoked} API keys revoked`
    return `organization ${organizationId} is ${status}: ${stopped}`
  }),
  command('organization find', [{ ...words('<id, service ID or name>'), rest: true }], texts.findOrganizations),
  command('organization show', [id<OrganizationId>()], texts.findOrganizations),
  command('organization lift-networks', [id<OrganizationId>()], async (organizationId) => {
    await liftByOperator(organizationId)
    return `organization ${organizationId} is reached from every network: its owners are mailed`
  }),
  command('organization without-provider', [id<OrganizationId>(), reason], async (organizationId, why) => {
    await letInWithoutProvider(organizationId, why)
    return `members of organization ${organizationId} sign in with their own passwords and factors again; its owners are written to`
  }),
  command('person show', [email], texts.describePerson),
  command('person end-sessions', [email], async (address) => {
    return `${address} is signed out everywhere: ${await endEverySession(address)} sessions ended`
  }),
  command('person reset-factors', [email, reason], async (address, why) => {
    const { from, until } = await announceFactorReset(address, why)
    return `${address} is told: unless they object, a sign-in with the password between ${from} and ${until} removes every second factor`
  }),
  command('person keep-factors', [email], async (address) => {
    await cancelFactorReset(address)
    return `${address} keeps every second factor`
  }),
  command('operators sign-out', [], async () => `${await endOperatorSignIns()} sign-ins at /operate are ended`),
  command('books resume', [id<OrganizationId>('<organization id>')], async (organizationId) => {
    await unfreezeLedger(organizationId)
    return `organization ${organizationId} moves money again; the next audit stops it where its books are still wrong`
  }),
  command('books findings', [filter], texts.findings),
  command('books charges', [filter], texts.charges),
  command('books accept', [], async () => {
    const warned = await acceptLoss()
    return `what the database lacks is accepted: ${warned} organizations are warned no more`
  }),
  command('books proof', [], () => proveNow()),
  command('reconcile', [], () => reconcileNow()),
  command('files list', [filter], files.describeFiles),
  command('files show', [id<BankFileId>()], files.showFile),
  command('files download', [id<BankFileId>(), words('<path>')], files.downloadFile),
  command('files again', [id<BankFileId>()], async (fileId) => {
    await readAgain(fileId)
    return `file ${fileId} is read again`
  }),
  command('files purge', [], async () => `${await purgeAttachments()} attachments are removed: their years are over`),
  ...ONBOARDING_COMMANDS,
  command('payments show', [id<PaymentId>()], texts.describePayment),
  command('payments fail', [id<PaymentId>(), reason], async (paymentId, why) => {
    await failHeldPayout(paymentId, why)
    return `payment ${paymentId} has failed, and its money is given back`
  }),
  command('deposits unmatched', [filter], texts.describeUnmatched),
  command('deposits assign', [id(), id<OrganizationId>('<organization id>')], async (depositId, organizationId) => {
    const booked = await assignUnmatched(depositId, organizationId)
    if (booked.kind !== 'deposit') throw new Error('an assigned deposit is one of an organization')
    return `${depositId} is deposit ${booked.id} of organization ${booked.organizationId}: ${booked.status}`
  }),
  command('deposits return', [id()], async (depositId) => {
    await returnUnmatched(depositId)
    return `${depositId} is returned`
  }),
  command('adjustments list', [filter], texts.describeProposed),
  command(
    'adjustments propose',
    [...operator, id('<payment or deposit id>'), reason],
    async (who, code, subject, why) =>
      texts.describeAdjustment('is proposed', await proposeAdjustment(subject, why, { email: who, code })),
  ),
  command(
    'adjustments collect',
    [
      ...operator,
      id<OrganizationId>('<organization id>'),
      word('<amount>', /^(?=.*[1-9])\d+(\.\d+)?$/),
      currency,
      reason,
    ],
    async (who, code, organizationId, amount, of, why) =>
      texts.describeAdjustment(
        'is proposed',
        await proposeCollection(organizationId, { amount, currency: of }, why, { email: who, code }),
      ),
  ),
  command(
    'adjustments disburse',
    [...operator, id<OrganizationId>('<organization id>'), currency, words('<reference>'), reason],
    async (who, code, organizationId, of, reference, why) => {
      const paid = { currency: of, reference }
      return texts.describeAdjustment(
        'is proposed',
        await proposeDisbursement(organizationId, paid, why, { email: who, code }),
      )
    },
  ),
  command('adjustments confirm', [...operator, id<AdjustmentId>()], async (who, code, adjustmentId) =>
    texts.describeAdjustment('is booked', await confirmAdjustment(adjustmentId, { email: who, code })),
  ),
  command('adjustments withdraw', [...operator, id<AdjustmentId>()], async (who, code, adjustmentId) =>
    texts.describeAdjustment('is withdrawn', await withdrawAdjustment(adjustmentId, { email: who, code })),
  ),
  command('screening list', [filter], screening.describePossible),
  command('screening lists', [], screening.describeLists),
  command('screening read', [], () => readListsNow()),
  command('screening show', [id<ScreeningId>()], screening.describeWhole),
  command(
    'screening',
    [oneOf(SCREENING_DECISIONS), ...operator, id<ScreeningId>(), reason],
    async (decision, who, code, screeningId, why) =>
      screening.describeScreening(await decideScreening(screeningId, decision, why, { email: who, code })),
  ),
  command('covers list', [filter], texts.describeCovers),
  command('covers settle', [...operator, dealing], async (who, code, dealt) =>
    texts.describeDealing('is proposed', await proposeDealing(dealt, { email: who, code })),
  ),
  command('covers confirm', [...operator, id<DealingId>()], async (who, code, dealingId) =>
    texts.describeDealing('is confirmed', await confirmDealing(dealingId, { email: who, code })),
  ),
  command('covers withdraw', [...operator, id<DealingId>()], async (who, code, dealingId) =>
    texts.describeDealing('is withdrawn', await withdrawDealing(dealingId, { email: who, code })),
  ),
  command('covers settled', [...operator, id<DealingId>()], async (who, code, dealingId) =>
    texts.describeDealing('has settled', await settleDealing(dealingId, { email: who, code })),
  ),
  command('offers list', [filter], texts.offers),
  command('offers add', [json('<offer as JSON>', NewOffer)], async (offer) => {
    const offerId = newId<'subscription_offer'>()
    await insertOffer(offerId, offer)
    return `offer ${offerId} is offered: ${offer.amount} ${offer.currency} a month. Its price never changes`
  }),
  command('offers change', [id<OfferId>(), json('<changes as JSON>', OfferChanges)], async (offerId, changes) => {
    await changeOffer(offerId, changes)
    return `offer ${offerId} is changed`
  }),
  command('offers', [oneOf(['withdraw', 'restore']), id<OfferId>()], async (verb, offerId) => {
    await (verb === 'withdraw' ? withdrawOffer(offerId) : restoreOffer(offerId))
    return `offer ${offerId} ${verb === 'withdraw' ? 'is not offered any more; who has it keeps it' : 'is offered again'}`
  }),
  command(
    'events rechain',
    [],
    async () => `${await rechainEvents()} events have their place now; every other keeps its own`,
  ),
  command('live check', [asJson], async (json) => {
    const { isReady, text } = await checkLive({ json })
    if (!isReady) throw new Unready(text)
    return text
  }),
  command('messages failed', [filter], texts.describeFailedMessages),
  command('webhooks failing', [filter], texts.describeFailingWebhooks),
  command('partners list', [filter], texts.describePartners),
  command('connections list', [filter], texts.describeConnections),
  command('connections pause', [connectionName, why], async (name, said) => {
    await pauseConnection(name, said, account())
    return `connection ${name} is paused: nothing new is sent there; what is under way is asked about and booked`
  }),
  command('connections resume', [connectionName], async (name) => {
    const woken = await resumeConnection(name, account())
    return `connection ${name} goes on: ${woken} that may have waited look again`
  }),
  command('processes list', [filter], listProcesses),
  command('processes', [oneOf(['show', 'restart']), processId], (verb, process) =>
    verb === 'show' ? showProcess(process) : restartProcess(process),
  ),
]

const USAGE = `usage: ${COMMANDS.map(({ usage }) => `npm run admin -- ${usage}`).join('\n       ')}`

/** Runs a command, and answers one line. Throws a Refusal, or an Error with the usage. */
export async function administer(words: readonly string[]): Promise<string> {
  for (const { run } of COMMANDS) {
    const told = run(words)
    if (told) return told
  }
  const meant = COMMANDS.filter(({ isMeant }) => isMeant(words)).map(({ usage }) => `npm run admin -- ${usage}`)
  throw new Error(meant.length > 0 ? `That is not understood. It is written: ${meant.join('\nor: ')}` : USAGE)
}

/** Report of a check that has found something missing: it is the answer, and the exit code is 1. */
class Unready extends Error {}

/** Names the account at this machine by which a command was given. */
function account(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? '?'}` // a container may have no name for it
  }
}

/** Explains a refusal or a failure in one line. */
function explain(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error)
  return `refused: ${error.type}${error.details ? ` ${JSON.stringify(error.details)}` : ''}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  announceCommits()
  try {
    console.log(await administer(process.argv.slice(2)))
  } catch (error) {
    if (error instanceof Unready) console.log(error.message)
    else console.error(explainStart(error) ?? explain(error))
    process.exitCode = 1
  }
  await flushSignals()
  await Promise.all([endPools(), connection.close()])
}
