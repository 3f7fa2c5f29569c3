/** A bank that pays: a test lets it take the files that were uploaded, and say what it has done. */
import { account, entry, report, takeUploaded, uploaded } from './bank.ts'
import { say } from './words.ts'

export type Uploaded = {
  readonly messageId: string
  readonly payments: readonly { readonly endToEndId: string; readonly amount: string }[]
}

/** Takes the files that were uploaded. */
export const takeFiles = (): Uploaded[] =>
  takeUploaded().map((name) => {
    const text = uploaded(name)
    const payments = [...text.matchAll(/<EndToEndId>([^<]+)<.*?<InstdAmt Ccy="EUR">([^<]+)</gs)]
    return {
      messageId: /<MsgId>([^<]+)</.exec(text)?.[1] ?? '',
      payments: payments.map(([, endToEndId = '', amount = '']) => ({ endToEndId, amount })),
    }
  })

/** Acknowledges a file. */
export const acknowledge = ({ messageId }: Uploaded): string => say(report(messageId))

/** Books each payment of a file. */
export const bookPayments = ({ payments }: Uploaded): string =>
  say(account(payments.map(({ amount, endToEndId }) => entry('debit', amount, { endToEndId }))))

/** Takes, acknowledges and books all that was uploaded. */
export function payUploaded(): void {
  for (const file of takeFiles()) {
    acknowledge(file)
    bookPayments(file)
  }
}
