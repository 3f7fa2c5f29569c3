/** Files of payments as a company writes them: pain.001.001.09. */

export type TestPayment = { readonly endToEndId: string; readonly amount: string; readonly iban?: string }

/** Writes a file of payments from one account. */
export function paymentFile({
  batchBooking = false,
  iban,
  messageId,
  payments,
  sum,
}: {
  readonly messageId: string
  readonly iban: string
  readonly payments: readonly TestPayment[]
  /** Control sum; the right one by default. */
  readonly sum?: string
  readonly batchBooking?: boolean
}): string {
  const cents = payments.reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0)
  const total = sum ?? (cents / 100).toFixed(2)
  const transfers = payments.map(
    (one) => `<CdtTrfTxInf><PmtId><EndToEndId>${one.endToEndId}</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="EUR">${one.amount}</InstdAmt></Amt><Cdtr><Nm>Payee</Nm></Cdtr>
<CdtrAcct><Id><IBAN>${one.iban ?? 'DE89370400440532013000'}</IBAN></Id></CdtrAcct>
<RmtInf><Ustrd>for a test</Ustrd></RmtInf></CdtTrfTxInf>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>2026-11-30T08:00:00Z</CreDtTm><NbOfTxs>${payments.length}</NbOfTxs>
<CtrlSum>${total}</CtrlSum><InitgPty><Nm>Payer</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>B${messageId.slice(1)}</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>${batchBooking}</BtchBookg>
<ReqdExctnDt><Dt>2026-11-30</Dt></ReqdExctnDt><Dbtr><Nm>Payer</Nm></Dbtr>
<DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><BICFI>INGDDEFFXXX</BICFI></FinInstnId></DbtrAgt>
${transfers.join('\n')}</PmtInf></CstmrCdtTrfInitn></Document>`
}
