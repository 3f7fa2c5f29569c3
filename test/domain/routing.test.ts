/** Conditions of rules against facts of requests. */
import { expect, test } from 'vitest'
import { type PayeeFacts, meets, originsOf } from '../../domain/approvals/routing.ts'

const known: PayeeFacts = { contact_id: 'a', country: 'DE', is_new: false, labels: [], account_codes: [] }
const stranger: PayeeFacts = { contact_id: null, country: 'FR', is_new: true, labels: [], account_codes: [] }

const label = (value: string) => ({ dimension: 'department', value })
const labelled: PayeeFacts = { ...known, labels: [label('it')], account_codes: ['4900'] }

test.each<[object, readonly PayeeFacts[], boolean]>([
  [{ contact_ids: ['a', 'b'] }, [known], true],
  [{ contact_ids: ['b'] }, [known], false],
  [{ countries: ['FR', 'DE'] }, [known], true],
  [{ countries: ['FR'] }, [known, stranger], true],
  [{ new_payee: true }, [known], false],
  [{ new_payee: false }, [stranger], false],
  // one payee meets them all, not several some of them
  [{ countries: ['DE'], new_payee: true }, [known, stranger], false],
  [{ countries: ['FR'], new_payee: true }, [known, stranger], true],
  [{ labels: [label('sales'), label('it')] }, [labelled], true],
  [{ labels: [label('hr')] }, [labelled], false],
  [{ labels: [label('it')], account_codes: ['4930'] }, [labelled], false],
  [{ labels: [label('it')], account_codes: ['4930', '4900'] }, [labelled], true],
  [{ account_codes: ['4900'], new_payee: false }, [{ ...labelled, is_new: null }], false],
  [{ countries: ['FR'] }, [], false],
  [{ origins: ['page'] }, [], false],
  [{ origins: ['api'] }, [], true],
  [{ origins: ['api'], new_payee: true }, [known], false],
])('%j of %j: %s', (when, payees, is) => {
  expect(meets({ when }, { origins: ['api'], payees })).toBe(is)
})

test('what a delegate prepared is of the delegate, and of the page on which a person asks', () => {
  const person = { kind: 'user', userId: 'u', sessionId: 's', deviceId: 'd' } as never
  expect(originsOf(person, 0)).toEqual(['api'])
  expect(originsOf({ ...(person as object), onPage: true } as never, 1)).toEqual(['delegate', 'page'])
})
