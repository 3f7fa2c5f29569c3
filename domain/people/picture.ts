/** Pictures of people: what is taken, and what is made of it. */
export const PICTURE_BYTES_MAX = 5 * 1024 * 1024
export const PICTURE_PIXELS_MAX = 40_000_000
export const PICTURE_SIDE_PIXELS = 512
