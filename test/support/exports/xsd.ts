/** XML validation by the schemas of ISO 20022 and EPC, without a network. */
import { readFileSync } from 'node:fs'
import { validateXML } from 'xmllint-wasm'

const FOLDER = new URL('../../fixtures/iso20022/', import.meta.url)

function faultsBy(name: string) {
  const schema = { fileName: 'schema.xsd', contents: readFileSync(new URL(`${name}.xsd`, FOLDER), 'utf8') }
  return async (...documents: readonly (Uint8Array | string)[]): Promise<string[]> => {
    const xml = documents.map((document, at) => ({
      fileName: `${at}.xml`,
      contents: Buffer.from(document).toString(),
    }))
    const { valid, errors } = await validateXML({ xml, schema })
    return valid ? [] : errors.map(({ message }) => message)
  }
}

export const faultsOfCamt053 = faultsBy('camt.053.001.08')
export const faultsOfCamt054 = faultsBy('camt.054.001.08')
export const faultsOfSepaPayments = faultsBy('EPC132-08_2025_V1.0_pain.001.001.09')
