/** XML validation by the schemas of ISO 20022, without a network. */
import { readFileSync } from 'node:fs'
import { validateXML } from 'xmllint-wasm'

const CAMT053 = readFileSync(new URL('camt.053.001.08.xsd', import.meta.url), 'utf8')
/** camt.054 of the same version: the same types, but that a notification has no balances, and names parts otherwise. */
const CAMT054 = CAMT053.replaceAll('camt.053.001.08', 'camt.054.001.08')
  .replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn')
  .replace('name="Stmt"', 'name="Ntfctn"')
  .replace('name="StmtPgntn"', 'name="NtfctnPgntn"')
  .replace('name="AddtlStmtInf"', 'name="AddtlNtfctnInf"')
  .replace(/<xs:element [^>]*name="Bal" type="CashBalance8"\/>/, '')

const faultsBy =
  (schema: string) =>
  async (xml: Uint8Array): Promise<string[]> => {
    const { valid, errors } = await validateXML({
      xml: { fileName: 'statement.xml', contents: Buffer.from(xml).toString() },
      schema: { fileName: 'statement.xsd', contents: schema },
    })
    return valid ? [] : errors.map(({ message }) => message)
  }

export const faultsOfCamt053 = faultsBy(CAMT053)
export const faultsOfCamt054 = faultsBy(CAMT054)
