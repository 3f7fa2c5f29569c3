/** Speed of a payment by bank, and what follows an instant one that comes to nothing. */

export const SPEEDS = ['standard', 'instant'] as const
export type Speed = (typeof SPEEDS)[number]
