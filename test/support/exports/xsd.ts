/** XML validation by the schemas of ISO 20022, without a network. */
import { readFileSync } from 'node:fs'
import { validateXML } from 'xmllint-wasm'

const CAMT053 = readFileSync(new URL('camt.053.001.08.xsd', import.meta.url), 'utf8')

export async function faultsOfCamt053(xml: Uint8Array): Promise<string[]> {
  const { valid, errors } = await validateXML({
    xml: { fileName: 'statement.xml', contents: Buffer.from(xml).toString() },
    schema: { fileName: 'camt.053.001.08.xsd', contents: CAMT053 },
  })
  return valid ? [] : errors.map(({ message }) => message)
}
