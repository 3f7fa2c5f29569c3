/** Pictures of people: what is taken, and what is made of it. */
import * as v from 'valibot'
import { id } from '../ids.ts'

export const PICTURE_BYTES_MAX = 5 * 1024 * 1024
export const PICTURE_PIXELS_MAX = 40_000_000
export const PICTURE_SIDE_PIXELS = 512

export const AvatarParams = v.object({ avatar_id: id<'avatar'>() })
