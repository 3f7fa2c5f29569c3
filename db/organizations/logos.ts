/** Logos: one picture for each organization, under an id that changes with the picture and cannot be guessed. */
import { newCause, record } from '../events.ts'
import { refuse } from '../../domain/errors.ts'
import type { LogoId } from '../../domain/ids.ts'
import { organizationEvents } from '../../domain/organizations/events.ts'
import { type Tx, first, sql } from '../sql.ts'

/** Sets a picture of `squarePicture` as the organization's logo, in place of the one before. */
export async function replaceLogo(tx: Tx, image: Uint8Array): Promise<void> {
  await tx`
    insert into logos (organization_id, image) values (${tx.organizationId}, ${image})
    on conflict (organization_id) do update
    set id = excluded.id, image = excluded.image, inserted_at = excluded.inserted_at`
  await recordLogo(tx, organizationEvents.logo_changed)
}

/** Deletes the logo, if there is one. */
export async function removeLogo(tx: Tx): Promise<void> {
  const removed = await tx`delete from logos where organization_id = ${tx.organizationId} returning id`
  if (removed.length === 1) await recordLogo(tx, organizationEvents.logo_removed)
}

type LogoEvent = (typeof organizationEvents)['logo_changed' | 'logo_removed']

const recordLogo = (tx: Tx, type: LogoEvent): Promise<void> =>
  record(tx, type, { subjectId: tx.organizationId, cause: newCause() })

/**
 * The bytes of a logo, a webp; refuses `not_found`, also if the organization is banned or deleted. What an id once
 * named, it never names differently.
 */
export async function findLogo(id: LogoId): Promise<Uint8Array<ArrayBuffer>> {
  const logo = await first(sql<{ image: Uint8Array<ArrayBuffer> | null }[]>`select logo_image(${id}) as image`)
  return logo?.image ?? refuse('not_found')
}
