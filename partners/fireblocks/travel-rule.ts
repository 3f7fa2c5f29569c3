/** Travel rule of an order: originator and beneficiary as IVMS 101 names them, in the members of the document. */
import type { PayoutOrder } from '../driver.ts'

/** Writes who pays and who is paid; undefined for a former order without a payer. */
export function travelRuleOf({ payer, payee, payeeType, beneficiary }: PayoutOrder): object | undefined {
  if (!payer || !payee) return undefined
  const { line1, line2, postal_code: postCode, town: townName, country_code: country } = payer.address
  const address = { addressType: 'BIZZ', addressLine: line2 ? [line1, line2] : [line1], postCode, townName, country }
  const legal = { ...legalPerson(payer.name).legalPerson, geographicAddress: [address] }
  const destination = beneficiary['address'] ?? ''
  return {
    protocol: 'IVMS101',
    originator: { originatorPersons: [{ legalPerson: legal }] },
    beneficiary: {
      beneficiaryPersons: [payeeType === 'individual' ? naturalPerson(payee.name) : legalPerson(payee.name)],
      accountNumber: [destination],
    },
    transactionBlockchainInfo: { destination, ...(payer.account && { origin: payer.account }) },
  }
}

const legalPerson = (legalPersonName: string) => ({
  legalPerson: { name: { legalPersonName, legalPersonNameIdentifierType: 'REGISTERED' } },
})
const naturalPerson = (primaryIdentifier: string) => ({
  naturalPerson: { name: [{ nameIdentifier: [{ primaryIdentifier, nameIdentifierType: 'LEGL' }] }] },
})
