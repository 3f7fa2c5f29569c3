/** Objects of the stand-in that are opened once for each key: account numbers, subscriptions, entities and files. */
import { newId } from '../../../domain/ids.ts'
import { hashOf } from '../../../services/idempotency.ts'
import {
  type DocumentOf,
  type OpenedKind,
  type RowOf,
  findOpened,
  listOpened,
  openAtIncrease,
} from '../../db/increase/accounts.ts'
import { type Answer, type Desk, type Question, keyUsed, markReplayed, notFound, ok, pageOf } from './answers.ts'
import { idOf, readId, uuidOfKey } from './ids.ts'

type Order<Kind extends OpenedKind> = {
  readonly document: DocumentOf<Kind>
  /** Content of the request: a key is of one. */
  readonly content: object
  /** Makes the details of the account that it is, from its id among all stand-ins. */
  readonly details?: (uuid: string) => Readonly<Record<string, string>>
  readonly show: (row: RowOf<Kind>) => object | Promise<object>
}

/** Opens an object, once for each key. Throws `idempotency_key_already_used_error` for other content. */
export async function openOnce<Kind extends OpenedKind>(
  { partner }: Desk,
  { document, content, details = () => ({}), show }: Order<Kind>,
): Promise<Answer> {
  const { kind, key } = document
  const uuid = key === null ? newId() : uuidOfKey(key)
  const id = idOf(kind, uuid)
  const known = await findOpened(partner, kind, uuid)
  const made = { id: uuid, account: id, details: details(uuid), document }
  const row = await openAtIncrease<Kind>(partner, hashOf({ kind, ...content }), made)
  if (!row) throw keyUsed(id)
  return markReplayed(ok(await show(row)), known !== undefined)
}

/** Finds an object by its id. Throws `object_not_found_error`. */
export async function requireOpened<Kind extends OpenedKind>(
  { partner }: Desk,
  kind: Kind,
  id: string,
): Promise<RowOf<Kind>> {
  const read = readId(kind, id)
  const row = read && read.mark === '' ? await findOpened(partner, kind, read.uuid) : undefined
  if (!row) throw notFound(id)
  return row
}

type KeyHolder = { readonly idempotency_key: string | null }
type ListChoice<Kind extends OpenedKind, Item extends KeyHolder> = {
  readonly show: (row: RowOf<Kind>) => Item | Promise<Item>
  readonly leaves?: (item: Item) => boolean
}

/** Lists the objects of a kind, newest first, as the query filters them; of a key at most its own. */
export async function listKept<Kind extends OpenedKind, Item extends KeyHolder>(
  kind: Kind,
  { desk, query }: Pick<Question, 'desk' | 'query'>,
  { show, leaves = () => true }: ListChoice<Kind, Item>,
): Promise<Answer> {
  const key = query.get('idempotency_key')
  const kept = { kind, id: key === null ? null : uuidOfKey(key) }
  return ok(
    await pageOf(query, (listing) => listOpened(desk.partner, kept, listing), {
      show,
      leaves: (one) => (key === null || one.idempotency_key === key) && leaves(one),
    }),
  )
}
