/** Avatars: one picture for each person, under an id that changes with the picture and cannot be guessed. */
import { refuse } from '../../domain/errors.ts'
import type { AvatarId, UserId } from '../../domain/ids.ts'
import { squarePicture } from '../pictures/pictures.ts'
import { first, sql } from '../sql.ts'

/** Sets the person's avatar from a file, in place of the one before; refuses what `squarePicture` refuses. */
export async function replaceAvatar(userId: UserId, file: Buffer): Promise<void> {
  const image = await squarePicture(file, { person: userId })
  await sql`
    insert into avatars (user_id, image) values (${userId}, ${image})
    on conflict (user_id) do update
    set id = excluded.id, image = excluded.image, inserted_at = excluded.inserted_at`
}

/** Deletes the person's avatar, if there is one. */
export async function removeAvatar(userId: UserId): Promise<void> {
  await sql`delete from avatars where user_id = ${userId}`
}

/** The bytes of an avatar, a webp; refuses `not_found`. An id always names the same picture. */
export async function findAvatar(id: AvatarId): Promise<Uint8Array<ArrayBuffer>> {
  const avatar = await first(sql<{ image: Uint8Array<ArrayBuffer> }[]>`select image from avatars where id = ${id}`)
  return avatar?.image ?? refuse('not_found')
}
