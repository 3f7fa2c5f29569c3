/** Codes that people type: of an authenticator, a text message or a mail. */
import { opaque } from '../text.ts'

const CHARACTERS_MAX = 32

export const enteredCode = opaque(1, CHARACTERS_MAX)
