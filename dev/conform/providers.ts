/** Providers by their driver: one line for each that the kit knows. */
import { HttpProvider } from './http/provider.ts'
import type { Provider } from './provider.ts'

export const PROVIDERS: Readonly<Record<string, (port: number) => Provider>> = {
  http: (port) => new HttpProvider(port),
}
