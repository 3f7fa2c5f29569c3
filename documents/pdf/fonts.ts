import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export const REGULAR = readFileSync(require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'))
export const BOLD = readFileSync(require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf'))

/** Font features, without mark positioning: it is not needed, and took three quarters of the loading time. */
export const FEATURES = { mark: false, mkmk: false }
