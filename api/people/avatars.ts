/** Pictures of people. */
import { findAvatar, removeAvatar, replaceAvatar } from '../../db/people/avatars.ts'
import { Me } from '../../domain/people/person.ts'
import { AvatarParams, PICTURE_BYTES_MAX } from '../../domain/people/picture.ts'
import { findMe } from '../../db/people/people.ts'
import { pictures } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Me')

export const avatars = [
  command('post', '/me/avatar', 'uploadAvatar')
    .says('Set your picture: a png, jpeg or webp of at most 40 megapixels, which is cut to a square')
    .uploads({ field: 'file', maxBytes: PICTURE_BYTES_MAX })
    .limited(pictures)
    .answers(Me)
    .handles(async ({ person, file }) => {
      await replaceAvatar(person.userId, file)
      return findMe(person.userId)
    }),
  command('delete', '/me/avatar', 'removeAvatar')
    .says('Remove your picture')
    .answers(Me)
    .handles(async ({ person }) => {
      await removeAvatar(person.userId)
      return findMe(person.userId)
    }),
  query('/avatars/{avatar_id}', 'getAvatar')
    .says('Read a picture by the address that `avatar.url` tells; each upload has an address of its own')
    .open()
    .named(AvatarParams)
    .cached('immutable')
    .bytes('image/webp')
    .does(({ params }) => findAvatar(params.avatar_id)),
]
