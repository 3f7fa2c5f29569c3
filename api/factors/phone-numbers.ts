/** A person's phone numbers. */
import { Me } from '../../domain/people/person.ts'
import {
  NewPhoneNumber,
  PhoneCodeSent,
  PhoneNumberConfirmation,
  PhoneNumberParams,
} from '../../domain/factors/phone-number.ts'
import { findMe } from '../../db/people/people.ts'
import { confirmPhoneNumber, removePhoneNumber, sendPhoneCode } from '../../db/factors/phone-numbers.ts'
import { phoneCodes } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command } = operations('Me')

export const phoneNumbers = [
  command('post', '/me/phone-numbers', 'addPhoneNumber')
    .says('Add a phone number; a code is sent to it, and again with each repeat')
    .takes(NewPhoneNumber)
    .answers(PhoneCodeSent)
    .handles(({ person, body }) => sendPhoneCode(person, body.e164)),
  command('post', '/me/phone-numbers/confirm', 'confirmPhoneNumber')
    .says('Confirm a phone number with the code that was sent to it')
    .takes(PhoneNumberConfirmation)
    .limited(phoneCodes)
    .answers(Me)
    .proved('window', undefined, { unlessJustSignedIn: true })
    .handles(async ({ person, body, origin }) => {
      await confirmPhoneNumber(person, body, origin)
      return findMe(person.userId)
    }),
  command('delete', '/me/phone-numbers/{e164}', 'removePhoneNumber')
    .says('Remove a phone number')
    .named(PhoneNumberParams)
    .answers(Me)
    .proved('window', undefined, { unlessJustSignedIn: true })
    .handles(async ({ person, params, origin }) => {
      await removePhoneNumber(person, params.e164, origin)
      return findMe(person.userId)
    }),
]
