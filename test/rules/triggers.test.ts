/** Triggers keep invariants of any writer; business is in functions that the writers call. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The invariant that each trigger keeps. */
const INVARIANTS: Readonly<Record<string, string>> = {
  bills_have_accounts: 'what has a fingerprint has the id of its account, also if code of the release before writes it',
  bills_keep_accounts: 'what has a fingerprint has the id of its account, also if code of the release before writes it',
  billing_contacts_reword_invoices: 'an invoice is found by the name that its customer has now',
  decisions_are_of_people: 'no delegate approves or rejects',
  event_chain_is_immutable: 'append-only',
  events_are_immutable: 'append-only',
  events_have_causes: 'an event names the earlier one that caused it',
  events_name_delegates: 'an event of a person names the delegate that acted for them',
  invoices_have_words: 'an invoice is found by its own words',
  ledger_entries_are_immutable: 'append-only',
  ledger_transfers_are_immutable: 'append-only',
  payment_batch_rows_have_accounts:
    'what has a fingerprint has the id of its account, also if code of the release before writes it',
  payment_batch_rows_keep_accounts:
    'what has a fingerprint has the id of its account, also if code of the release before writes it',
  payment_destinations_have_accounts:
    'what has a fingerprint has the id of its account, also if code of the release before writes it',
  payment_destinations_keep_accounts:
    'what has a fingerprint has the id of its account, also if code of the release before writes it',
  payment_batch_rows_are_not_added: 'the rows of a batch that was submitted stay as they were',
  payment_batch_rows_are_not_changed: 'the rows of a batch that was submitted stay as they were',
  payment_batch_rows_are_not_deleted: 'the rows of a batch that was submitted stay as they were',
  payment_batch_rows_refer_when_inserted: 'tenancy: a row of a batch refers to what its organization has',
  payment_batch_rows_refer_when_updated: 'tenancy: a row of a batch refers to what its organization has',
  payments_have_payees: 'no payment is made to a contact or destination that is deleted',
  people_count_once: 'a person stands for an approval once, as its approver or on whose behalf it was given',
  payments_of_batches_wait_for_their_day: 'no payment of a batch is made before the day of the batch',
  payments_wait_for_their_day: 'no payment is made before its day',
  security_events_are_immutable: 'append-only',
  security_events_reach_organizations: 'a way in that an organization may know is in its log, if it has a log stream',
  substitutes_are_known: 'a member is known to be a substitute until the last of their substitutions ends',
}

const declared = ['db/migrations', 'db/functions'].flatMap((folder) =>
  readdirSync(folder).flatMap((file) => [
    ...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^create (?:or replace )?(?:constraint )?trigger (\w+)/gim),
  ]),
)

test('every trigger is listed with the invariant that it keeps, and each that is listed is there', () =>
  expect(declared.map(([, name = '']) => name).toSorted()).toEqual(Object.keys(INVARIANTS).toSorted()))

test('a function has its name alone: a call that names no types would be ambiguous', () => {
  const texts = readdirSync('db/functions').map((file) => readFileSync(`db/functions/${file}`, 'utf8'))
  const names = texts.flatMap((text) => [...text.matchAll(/create or replace function (\w+)/g)].map(([, name]) => name))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
