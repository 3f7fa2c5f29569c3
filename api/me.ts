/** The signed-in person. */
import { Me } from '../db/model/person.ts'
import { findMe } from '../db/people.ts'
import { route } from './route.ts'

export const me = [
  route({
    method: 'get',
    path: '/me',
    operationId: 'getMe',
    summary: 'Read oneself',
    tag: 'Me',
    returns: Me,
    handle: ({ person }) => findMe(person.userId),
  }),
]
