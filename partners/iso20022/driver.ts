/** Driver `iso20022`: any bank by files. Orders wait in an outbox for the next file; files name the status of each. */
import { ApplicationFailure } from '@temporalio/common'
import { bankRailOf } from '../../domain/destinations/bank-requirements.ts'
import { isWithinSepa } from '../../documents/bank-files/payment-faults.ts'
import type { FilePayment } from '../../domain/bank-files/messages.ts'
import type { StoredDeposit, StoredPayment } from '../../domain/bank-files/records.ts'
import { creditorReferenceOf } from '../../domain/bank-files/references.ts'
import { refuse } from '../../domain/errors.ts'
import type { PayoutStatus } from '../../domain/partner.ts'
import type { Iso20022Settings } from '../../platform/drivers/iso20022.ts'
import type { Capabilities, DepositView, Intent, MoneyDriver, OpenedAccount, PayoutView } from '../driver.ts'
import { unclear } from '../http.ts'
import { paymentOf, returnOf } from './orders.ts'
import type { FileStore } from './store.ts'

/** Connection of the driver. */
export type FileConnection = { readonly party: string; readonly settings: Iso20022Settings; readonly store: FileStore }

/** Capabilities of an outbox: an order in it is known for ever, and no other was sent. */
const CAPABILITIES: Capabilities = {
  cancels: false,
  checksPayees: false,
  knowsBalances: true,
  keysKept: 'ever',
  absenceSureAfterSeconds: 0,
  givesVersions: false,
  callsAlways: true, // what a file changes is called about as it is read
}

/** Content of an intent. */
type Content = { readonly payment: FilePayment; readonly speed?: 'instant' }

/** Makes the driver of a connection. */
export function iso20022Driver({ party, settings, store }: FileConnection): MoneyDriver {
  const accountIn = (currency: string) => settings.accounts.find((one) => one.currency === currency)
  const capabilities: Capabilities = { ...CAPABILITIES, instant: settings.instant }
  const put = async (id: string, kind: 'payout' | 'return', { payment, speed }: Content): Promise<StoredPayment> => {
    const account = accountIn(payment.amount.currency)
    const usual = account && isWithinSepa(account, payment) ? 'sepa' : 'other'
    const scheme = speed === 'instant' ? 'sepa_instant' : usual
    const stored = await store.put({ id, kind, scheme, payment })
    if (!stored) throw ApplicationFailure.nonRetryable(`${party} has another order of this id`, 'PartnerMisused')
    return stored
  }
  const findDeposit = async (id: string): Promise<DepositView | null> => {
    const found = await store.deposit(id)
    return found && depositView(found)
  }
  return {
    describe: () => capabilities,
    plan(order): Intent {
      const { id, amount, speed } = order
      const payment = paymentOf(settings.instant, { party, account: accountIn(amount.currency) }, order)
      const content: Content = { payment, ...(speed === 'instant' && { speed }) }
      return { id, operation: speed === 'instant' ? 'instant_credit_transfer' : 'credit_transfer', amount, content }
    },
    send: async ({ id, content }) => payoutView(await put(id, 'payout', content as Content)), // of plan()
    async find({ id }) {
      const found = await store.find(id)
      return found && payoutView(found)
    },
    async payouts(after) {
      const { data, next } = await store.list(after)
      const listed = data.map((one) => {
        const { detail: _detail, reference: _reference, settledCharges: _settled, ...view } = payoutView(one)
        return { ...view, id: one.id, changedAt: one.movedAt }
      })
      return { data: listed, odd: [], next }
    },
    async deposits(after) {
      const { data, next } = await store.deposits(after)
      return { data: data.map(depositView), odd: [], next }
    },
    deposit: findDeposit,
    async returnDeposit({ id }) {
      const deposit = await store.deposit(id)
      if (!deposit) throw ApplicationFailure.nonRetryable(`${party} has no such deposit`, 'PartnerMisused')
      if (deposit.status === 'received')
        await put(id, 'return', { payment: returnOf({ party, account: accountIn(deposit.amount.currency) }, deposit) })
      return depositView(deposit)
    },
    async openAccount(order, key) {
      const account = 'currency' in order ? accountIn(order.currency) : undefined
      if (!account) throw ApplicationFailure.nonRetryable(`${party} has no account in this currency`, 'PartnerMisused')
      const { bic } = account
      if (settings.virtualIbans === null) {
        const reference = creditorReferenceOf(key)
        return { account: reference, details: { iban: account.iban, bic, reference } } satisfies OpenedAccount
      }
      const iban = await store.takeVirtualIban(key)
      if (!iban) throw unclear({ party }, 'no virtual IBAN is left', false)
      return { account: iban, details: { iban, bic } }
    },
    reachesInstantly: ({ iban, country_code: country }, { currency }) =>
      Promise.resolve(Boolean(iban) && bankRailOf(country ?? (iban ?? '').slice(0, 2), currency) === 'sepa'),
    async balances() {
      const balances = await store.balances()
      return balances && balances.map((one) => ({ ...one, network: null }))
    },
    readCallback: () => refuse('not_authenticated'), // a bank by files calls nobody
  }
}

/** Words for what no file of the bank has a reason of. */
const DETAILS: Readonly<Record<PayoutStatus, string>> = {
  pending: 'in the next file to the bank',
  processing: 'in a file that the bank has',
  on_hold: 'the bank has not acknowledged its file',
  settled: 'booked by the bank',
  rejected: 'rejected by the bank',
  cancelled: 'cancelled',
  returned: 'returned to the bank',
}

const payoutView = ({
  endToEndId,
  status,
  detail,
  amount,
  returned,
  charges,
  settledCharges,
}: StoredPayment): PayoutView => ({
  theirId: null,
  status,
  detail: detail || DETAILS[status],
  reference: status === 'pending' ? null : endToEndId,
  amount,
  ...(returned && { returned }),
  ...(charges && { charges }),
  ...(status === 'returned' && settledCharges && { settledCharges }),
})

const depositView = ({ sender, ...deposit }: StoredDeposit): DepositView => ({
  ...deposit,
  sender: { name: sender.name, reference: sender.words, account_reference: sender.account, country: sender.country },
})
