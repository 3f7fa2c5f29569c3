/** Changes of users and groups by a provider: what their size costs, and values that are of another kind than expected. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../domain/errors.ts'
import { changeGroup } from '../../domain/scim/group.ts'
import { readChanges } from '../../domain/scim/operations.ts'
import { changeUser } from '../../domain/scim/user-changes.ts'

const emails = Array.from({ length: 10 }, (_, n) => ({ value: `u${n}@a.example`, type: n === 0 ? 'home' : 'w' }))
const user = { userName: 'a', externalId: null, active: true, displayName: null, name: {}, emails }

const changed = (...operations: object[]) => changeUser(user, '', readChanges({ Operations: operations })).emails

function refused(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error instanceof Refusal ? error.details?.['scim_type'] : error
  }
}

describe('an address that a path chooses', () => {
  const path = 'emails[type eq "w"]'

  test.each([
    ['a long text', 'x'.repeat(1_000_000)],
    ['a text', 'a@b.example'],
    ['a list', [{ value: 'a@b.example' }]],
    ['a number', 1],
    ['true', true],
    ['nothing', null],
    ['signs that only hide', { value: 'a@b.example', display: '\u200d'.repeat(300_000) }],
  ])('is not replaced by %s', (_, value) => {
    expect(refused(() => changed({ op: 'replace', path, value }))).toBe('invalidValue')
    expect(refused(() => changed({ op: 'add', path: 'emails[type eq "new"]', value }))).toBe('invalidValue')
  })

  test('is changed in the parts that an object names, in any case, and added with the type of the path', () => {
    const [home, work] = changed({ op: 'replace', path, value: { Display: 'Ada', constructor: 1, [`${path}x`]: {} } })
    expect([home, work]).toEqual([emails[0], { ...emails[1], display: 'Ada' }])
    const one = { op: 'remove', path: 'emails[value eq "u9@a.example"]' }
    const added = changed(one, {
      op: 'add',
      path: 'emails[type eq "new"]',
      value: { value: 'n@a.example', primary: true },
    })
    expect(added.at(-1)).toEqual({ value: 'n@a.example', type: 'new', primary: true })
  })

  test.each(['\\u202e', '\\u0001', 'x'.repeat(300)])('has a type by the rules of texts, and not %s', (type) => {
    for (const sub of ['', '.value', '.type'])
      for (const op of ['add', 'remove'])
        expect(refused(() => changed({ op, path: `emails[type eq "${type}"]${sub}`, value: {} }))).toBe('invalidValue')
  })

  test.each(['\\u0000', '\\ud800', 'a\\udc00', '\ud800'])('has no type %j', (type) => {
    expect(refused(() => changed({ op: 'remove', path: `emails[type eq "${type}"]` }))).toBe('invalidPath')
  })
})

describe('members of a group', () => {
  const before = { displayName: 'a', externalId: null }
  const ids = Array.from({ length: 1100 }, () => randomUUID())
  const fold = (...operations: object[]) => changeGroup(before, '', readChanges({ Operations: operations })).members
  const of = (from: number, to: number) => ids.slice(from, to).map((value) => ({ value }))

  test('are refused by the first change that names too many, and what follows is not read', () => {
    const adds = Array.from({ length: 11 }, (_, n) => ({
      op: 'add',
      path: 'members',
      value: of(n * 100, n * 100 + 100),
    }))
    expect(refused(() => fold(...adds, { op: 'add', path: 'members', value: [{ value: 'x' }] }))).toBe('tooMany')
    expect(fold(...adds.slice(1)).added.size).toBe(1000)
  })

  test('are folded in their order', () => {
    const folded = fold(
      { op: 'add', path: 'members', value: of(0, 3) },
      { op: 'remove', path: `members[value eq "${ids[1]}"]` },
      { op: 'remove', path: 'members', value: of(2, 4) },
      { op: 'add', path: 'members', value: of(3, 4) },
    )
    expect(folded).toMatchObject({
      from: 'present',
      added: new Set([ids[0], ids[3]]),
      removed: new Set([ids[1], ids[2]]),
    })
    const replaced = fold(
      { op: 'remove', path: 'members', value: of(0, 2) },
      { op: 'replace', path: 'members', value: of(1, 3) },
    )
    expect(replaced).toMatchObject({ from: 'none', added: new Set(ids.slice(1, 3)), removed: new Set() })
    expect(fold({ op: 'add', path: 'members', value: of(0, 1) }, { op: 'remove', path: 'members' })).toMatchObject({
      from: 'none',
      added: new Set(),
    })
  })
})
