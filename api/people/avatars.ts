/** Pictures of people. */
import * as v from 'valibot'
import { findAvatar, removeAvatar, replaceAvatar } from '../../db/people/avatars.ts'
import { Me } from '../../domain/people/person.ts'
import { AvatarParams, PICTURE_BYTES_MAX } from '../../domain/people/picture.ts'
import { findMe } from '../../db/people/people.ts'
import { pictures } from '../http/limits.ts'
import { route } from '../http/route.ts'

export const avatars = [
  route({
    method: 'post',
    path: '/me/avatar',
    operationId: 'uploadAvatar',
    summary: 'Set your picture: a png, jpeg or webp of at most 40 megapixels, which is cut to a square',
    tag: 'Me',
    limits: [pictures],
    upload: { field: 'file', maxBytes: PICTURE_BYTES_MAX },
    returns: Me,
    handle: async ({ person, file }) => {
      await replaceAvatar(person.userId, file)
      return findMe(person.userId)
    },
  }),
  route({
    method: 'delete',
    path: '/me/avatar',
    operationId: 'removeAvatar',
    summary: 'Remove your picture',
    tag: 'Me',
    returns: Me,
    handle: async ({ person }) => {
      await removeAvatar(person.userId)
      return findMe(person.userId)
    },
  }),
  route({
    method: 'get',
    path: '/avatars/{avatar_id}',
    operationId: 'getAvatar',
    summary: 'Read a picture by the address that `avatar.url` tells; each upload has an address of its own',
    tag: 'Me',
    credential: 'none',
    cacheable: 'immutable',
    params: AvatarParams,
    produces: 'image/webp',
    returns: v.instance(Uint8Array),
    handle: ({ params }) => findAvatar(params.avatar_id),
  }),
]
