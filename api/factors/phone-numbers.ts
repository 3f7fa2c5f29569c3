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
import { route } from '../http/route.ts'

/** Where codes go is changed by who has just proved who they are (ASVS 7.5.1). */
const provedOrNew = { mode: 'window', unlessJustSignedIn: true } as const

export const phoneNumbers = [
  route({
    method: 'post',
    path: '/me/phone-numbers',
    operationId: 'addPhoneNumber',
    summary: 'Add a phone number; a code is sent to it, and again with each repeat',
    tag: 'Me',
    body: NewPhoneNumber,
    returns: PhoneCodeSent,
    handle: ({ person, body }) => sendPhoneCode(person, body.e164),
  }),
  route({
    method: 'post',
    path: '/me/phone-numbers/confirm',
    operationId: 'confirmPhoneNumber',
    summary: 'Confirm a phone number with the code that was sent to it',
    tag: 'Me',
    limits: [phoneCodes],
    stepUp: provedOrNew,
    body: PhoneNumberConfirmation,
    returns: Me,
    handle: async ({ person, body, origin }) => {
      await confirmPhoneNumber(person, body, origin)
      return findMe(person.userId)
    },
  }),
  route({
    method: 'delete',
    path: '/me/phone-numbers/{e164}',
    operationId: 'removePhoneNumber',
    summary: 'Remove a phone number',
    tag: 'Me',
    stepUp: provedOrNew,
    params: PhoneNumberParams,
    returns: Me,
    handle: async ({ person, params, origin }) => {
      await removePhoneNumber(person, params.e164, origin)
      return findMe(person.userId)
    },
  }),
]
