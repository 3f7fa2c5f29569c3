/** The fonts of what we draw: Latin, Greek and Cyrillic. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export const REGULAR = readFileSync(require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'))
export const BOLD = readFileSync(require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf'))

/** Without places for marks that stand alone: none is written, and to read them took three quarters of the time. */
export const FEATURES = { mark: false, mkmk: false }
