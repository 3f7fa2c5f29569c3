/** Refusals in the languages of the pages: by type, by reason, and the faults of single values. */
import { REFUSALS, type RefusalReason, type RefusalType } from '../../../domain/errors.ts'
import { REASONS } from '../../../domain/reasons.ts'
import type { Language } from '../words.ts'
import { FAULTS_DE, FIELDS_DE } from './faults-de.ts'
import { REASONS_DE } from './reasons-de.ts'
import { TYPES_DE } from './types-de.ts'

type RefusalWords = {
  readonly types: Readonly<Record<RefusalType, string>>
  readonly reasons: Readonly<Record<RefusalReason, string>>
  /** Says what is wrong with one value, from the sentence of the API. */
  readonly fault: (sentence: string) => string
  /** Names a field of a form. */
  readonly field: (path: string) => string
  readonly notTaken: (faults: string) => string
  /** Says what a session that has proved nothing but a mailbox can do, and until when. */
  readonly mailbox: (until: string) => string
  /** Says from which address a request was seen, after a sentence. */
  readonly seenFrom: (address: string) => string
}

const plainField = (path: string): string => path.replaceAll('_', ' ')

/** Sentences of the API, but those that a person on a page needs in other words. */
const TYPES_EN: Readonly<Record<RefusalType, string>> = {
  ...(Object.fromEntries(Object.entries(REFUSALS).map(([type, [, said]]) => [type, said])) as Record<
    RefusalType,
    string
  >), // each type has its sentence
  not_authenticated: 'Please sign in.',
  route_not_found: 'There is no such page.',
  idempotency_key_reused: 'This form was sent before, with other values.',
  approval_already_processed: 'This was decided meanwhile. The page shows how.',
  approval_expired: 'This request has expired: nobody decided in time.',
  invalid_credentials: 'E-mail address or password is wrong.',
  email_not_confirmed: 'This e-mail address is not confirmed yet. Open the link in the mail that we sent.',
  insufficient_funds: 'The balance does not cover this payment now. It stays here and can be approved later.',
  not_an_approver: 'The policy names others for this step.',
  requester_cannot_approve: 'You asked for this, so another person has to approve it.',
  no_eligible_approver: 'Nobody is left who could give all approvals. An owner has to change the policy.',
  organization_unavailable: 'The organization is paused: nothing can be approved now.',
  rate_limited: 'Too many tries. Wait a little.',
  payee_held: 'The service is checking this payee: nothing is paid to it until that is done.',
  contact_not_approved: 'The payee has to be approved first.',
  account_cooling_off:
    'The payee was last paid at another account: wait, or have another person confirm this one by a call.',
  payee_mismatch:
    'What the bank says about the name of this account blocks paying it: the payment has to be asked for again.',
  address_required:
    'The bank needs the town and country of the payee: add them to the contact, and ask for the payment again.',
  onboarding_incomplete: 'Banks pay for verified companies alone: an owner says who the company is, and submits that.',
  service_unavailable: 'The service is busy. Nothing was decided; try again.',
  ledger_unbalanced: 'Payments of this organization are stopped until an operator has looked at its books.',
}

const EN: RefusalWords = {
  types: TYPES_EN,
  reasons: REASONS,
  fault: (sentence) => sentence,
  field: plainField,
  notTaken: (faults) => `Not taken: ${faults}.`,
  mailbox: (until) =>
    `Your password was set by a mail, so until ${until} a mail confirms nothing: you can read, prepare and stop things. To confirm at once, use an authenticator app, a passkey, an approval device or your phone.`,
  seenFrom: (address) => ` Your address is ${address}.`,
}

const DE: RefusalWords = {
  types: TYPES_DE,
  reasons: REASONS_DE,
  fault: (sentence) => {
    const known = FAULTS_DE.find(([said]) => said.test(sentence))
    return known ? sentence.replace(...known) : `ist so nicht möglich (${sentence})`
  },
  field: (path) => FIELDS_DE[path.split('.').at(-1) ?? ''] ?? plainField(path),
  notTaken: (faults) => `Nicht übernommen: ${faults}.`,
  mailbox: (until) =>
    `Ihr Passwort wurde durch eine Mail gesetzt, deshalb bestätigt bis ${until} eine Mail nichts: Sie können lesen, vorbereiten und anhalten. Um sofort zu bestätigen, nehmen Sie eine Authenticator-App, einen Passkey, ein Freigabegerät oder Ihr Telefon.`,
  seenFrom: (address) => ` Ihre Adresse ist ${address}.`,
}

const WORDS: Readonly<Record<Language, RefusalWords>> = { en: EN, de: DE }

export const refusalWords = (language: Language): RefusalWords => WORDS[language]
