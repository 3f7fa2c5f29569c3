/** Files of a bank as it sends them, to be changed by tests. */

export const statusReport = (inside: string, group = '') => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>R1</MsgId><CreDtTm>2026-12-01T08:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${group}</OrgnlGrpInfAndSts>
${inside}</CstmrPmtStsRpt></Document>`

export const batchStatus = (inside: string, status = '') =>
  `<OrgnlPmtInfAndSts><OrgnlPmtInfId>M1</OrgnlPmtInfId>${status}${inside}</OrgnlPmtInfAndSts>`

export const paymentStatus = (id: string, status: string, more = '') =>
  `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId>${status && `<TxSts>${status}</TxSts>`}${more}</TxInfAndSts>`

export const reasonOf = (code: string, text: string) =>
  `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn><AddtlInf>${text}</AddtlInf></StsRsnInf>`

const account = (iban: string) => `<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>`
const header = '<GrpHdr><MsgId>B1</MsgId><CreDtTm>2026-12-01T20:00:00+01:00</CreDtTm></GrpHdr>'

export const balance = (code: string, amount: string, direction = 'CRDT', day = '2026-12-01') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`

export const statement = (inside: string, head = '', iban = 'DE02120300000000202051') =>
  `<Stmt><Id>S1</Id>${head}<CreDtTm>2026-12-01T20:00:00+01:00</CreDtTm>${account(iban)}${inside}</Stmt>`

export const statements = (inside: string, version = '08') => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>${header}
${inside}
</BkToCstmrStmt></Document>`

export const notification = (inside: string) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn>${header}
<Ntfctn><Id>N1</Id><CreDtTm>2026-12-01T20:00:00+01:00</CreDtTm>${account('DE02120300000000202051')}${inside}</Ntfctn>
</BkToCstmrDbtCdtNtfctn></Document>`

export type EntryWords = {
  readonly amount?: string
  readonly currency?: string
  readonly direction?: string
  readonly status?: string
  readonly head?: string
  readonly details?: string
}

/** Writes an entry of version 8. */
export const entry = ({
  amount = '100.00',
  currency = 'EUR',
  direction = 'CRDT',
  status = '<Cd>BOOK</Cd>',
  head = '',
  details = '',
}: EntryWords = {}) =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${head}<Sts>${status}</Sts><BookgDt><Dt>2026-12-01</Dt></BookgDt><ValDt><DtTm>2026-12-02T00:00:00</DtTm></ValDt><AcctSvcrRef>REF-1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>${details && `<NtryDtls>${details}</NtryDtls>`}</Ntry>`

/** Writes a credit to a virtual IBAN, of version 8. */
export const CREDIT = `<TxDtls><Refs><AcctSvcrRef>REF-1-1</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId></Refs><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>Payer &amp; Sons</Nm><PstlAdr><Ctry>FR</Ctry></PstlAdr></Pty></Dbtr><DbtrAcct><Id><IBAN>FR7630006000011234567890189</IBAN></Id></DbtrAcct><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>Invoice 17,</Ustrd><Ustrd>thank you</Ustrd></RmtInf></TxDtls>`

/** Writes a payment of ours that came back less a charge, of version 8. */
export const RETURN = `<TxDtls><Refs><MsgId>M1</MsgId><EndToEndId>P1</EndToEndId></Refs><Amt Ccy="EUR">97.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><AmtDtls><InstdAmt><Amt Ccy="EUR">100.00</Amt></InstdAmt></AmtDtls><Chrgs><Rcrd><Amt Ccy="EUR">2.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs><RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>account closed</AddtlInf></RtrInf></TxDtls>`
