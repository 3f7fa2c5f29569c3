/** Access to Temporal from the environment: plain, by TLS, by a client certificate, or by an API key. */
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig'
import { isElsewhere, unusable } from './live.ts'

/** Options that the client and the worker connect with. */
export type TemporalAccess = ClientConnectConfig['connectionOptions'] & { readonly address: string }

const ADDRESS = 'localhost:7233'
const OFF = ['0', 'false']

/**
 * Reads the `TEMPORAL_*` variables as Temporal's own tools do. It reads no file in the user's home, which nobody sees in
 * a container. Refuses what would be in clear: an API key without TLS, and in live another
 * host without it.
 */
export function temporalIn(environment: NodeJS.ProcessEnv, live: boolean): TemporalAccess {
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]): [string, string][] => (value?.trim() ? [[name, value]] : [])),
  )
  const faults = [...pairFaults(env), ...clearFaults(env, live)]
  if (faults.length > 0) throw unusable(faults)
  try {
    const { connectionOptions } = loadClientConnectConfig({ disableFile: true, overrideEnvVars: env })
    return { ...connectionOptions, address: connectionOptions.address ?? ADDRESS }
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? error.path : undefined
    const name = Object.keys(env).find((one) => one.startsWith('TEMPORAL_TLS_') && env[one] === path)
    throw unusable([`${name ?? 'TEMPORAL_TLS'}: the file cannot be read`], { cause: error })
  }
}

/** Finds a certificate without its key, or a key without its certificate. */
function pairFaults(env: Readonly<Record<string, string>>): string[] {
  const has = (what: string): boolean => ['PATH', 'DATA'].some((kind) => env[`TEMPORAL_TLS_CLIENT_${what}_${kind}`])
  return has('CERT') === has('KEY')
    ? []
    : ['TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH (or _DATA) are set both, or neither']
}

function clearFaults(env: Readonly<Record<string, string>>, live: boolean): string[] {
  const off = OFF.includes(env['TEMPORAL_TLS'] ?? '')
  const secured = Object.keys(env).some((name) => name.startsWith('TEMPORAL_TLS') || name === 'TEMPORAL_API_KEY')
  const isClear = off || !secured
  if (off && env['TEMPORAL_API_KEY']) return ['TEMPORAL_API_KEY: an API key is not sent without TLS']
  return live && isClear && isElsewhere(env['TEMPORAL_ADDRESS'] ?? ADDRESS)
    ? ['TEMPORAL_TLS: live asks for TLS to a Temporal on another host']
    : []
}
