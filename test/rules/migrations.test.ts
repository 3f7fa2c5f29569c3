/** Expand first, contract in a later release: a migration takes nothing that the code before it reads or writes. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listContractions } from './migrations.ts'

const BEFORE_RELEASE = 'no service runs the code before it: there was no release yet'

/** Contractions by migration, with the reason why the code before does without. */
const ALLOWED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '0035_prepared.sql': { 'delegate_of_session(): is missing until functions are applied': BEFORE_RELEASE },
  '0040_credit_notes.sql': {
    'end_invoice_mail(): is missing until functions are applied': BEFORE_RELEASE,
    'sandbox_invoice(): is missing until functions are applied': BEFORE_RELEASE,
  },
  '0049_substitutions.sql': { 'locate(): is missing until functions are applied': BEFORE_RELEASE },
}

const FOLDER = 'db/migrations'
const names = readdirSync(FOLDER)
const found = names.flatMap((name) =>
  listContractions(readFileSync(`${FOLDER}/${name}`, 'utf8')).map((what) => `${name}: ${what}`),
)

test('each migration has a number of its own, so that their order is one and was looked at', () => {
  const numbers = names.map((name) => /^(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1] ?? name)
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
  expect(numbers.filter((number) => !/^\d{4}$/.test(number))).toEqual([])
})

test('no migration drops, renames or requires what the code before it knows, unless it is listed with the reason', () => {
  const allowed = Object.entries(ALLOWED).flatMap(([name, all]) => Object.keys(all).map((what) => `${name}: ${what}`))
  expect(found.toSorted()).toEqual(allowed.toSorted())
})

test.each([
  ['drop table if exists old_rows, older_rows cascade;', ['old_rows: is dropped', 'older_rows: is dropped']],
  ['drop function if exists locate(text, uuid);', ['locate(): is missing until functions are applied']],
  ['alter table payments drop column note, drop constraint payments_check;', ['payments: drops note']],
  ['alter table only payments\n  rename note to remark;', ['payments: renames note']],
  ['alter table payments rename to transfers;', ['payments: is renamed']],
  ['alter table payments alter note set not null;', ['payments: requires note']],
  ['alter table payments alter column note drop default;', ['payments: has no default of note']],
  ['alter table payments alter column note type bigint;', ['payments: changes the type of note']],
  ['alter table payments add column if not exists note text not null;', ['payments: requires note']],
  ["alter table payments add note numeric(20, 2) check (note > 0), add kind text not null default 'a, b';", []],
  ['create table notes (id uuid); alter table notes add text text not null;', []],
  ['alter table payments add constraint named check (note is not null), rename constraint named to other;', []],
  ['-- drop table payments;\ncreate function f() returns void as $$ drop table payments; $$ language sql;', []],
])('%s', (statement, contractions) => expect(listContractions(statement)).toEqual(contractions))
