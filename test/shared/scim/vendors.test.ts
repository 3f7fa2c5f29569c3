/** The requests of the documents of Okta and Entra ID are answered as these providers expect. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { company } from '../../support/identity/providers.ts'
import { newAddress, scimOf, scimToken } from '../../support/identity/scim.ts'

/** Request of a document, what it gets, and the members of the answer that later ones name. */
type Recorded = {
  readonly says: string
  readonly send: readonly [method: string, path: string, body?: object]
  readonly gets: readonly [status: number, body?: object]
  readonly keeps?: Readonly<Record<string, string>>
}

const { boss, id, domain } = await company()
const { secret } = await scimToken(boss, id)
const scim = scimOf(secret)

test.each(['okta', 'entra'])('%s', async (vendor) => {
  const recorded = JSON.parse(readFileSync(`test/support/scim/${vendor}.json`, 'utf8')) as Recorded[] // written by hand
  const words: Record<string, string> = { name: newAddress(domain), run: randomUUID(), missing: randomUUID() }
  const fill = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (_, word: string) => words[word] ?? `{${word}}`)) as Value
  for (const { says, send, gets, keeps = {} } of recorded) {
    const [status, body] = fill(gets)
    const answer = await scim(...(fill(send) as [string, string, unknown?]))
    expect([says, answer.status, answer.body]).toMatchObject([says, status, body ?? null])
    for (const [word, member] of Object.entries(keeps)) words[word] = answer.body[member]
  }
})
