/** Proxies of the environment: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, as other commands read them. */
import * as http from 'node:http'
import { EXIT, Failure } from './failures.ts'

type Environment = Readonly<Record<string, string | undefined>>
type UseProxies = (env: Environment) => unknown

const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

/** This machine itself, which no proxy is asked about. */
const HERE = 'localhost,127.0.0.1,[::1]'

/** Sets the proxies of this process; a Node without support for them leaves them out. Throws for what is no address. */
export function useProxies(env: Environment): void {
  const use = (http as { readonly setGlobalProxyFromEnv?: UseProxies }).setGlobalProxyFromEnv
  const except = env['no_proxy'] || env['NO_PROXY']
  for (const name of NAMES)
    if (env[name] && !/^https?:\/\/[^/]/.test(env[name]))
      throw new Failure(EXIT.usage, `${name} is no address of a proxy: write it as http://proxy.example.com:3128`)
  if (namesProxy(env)) use?.({ ...env, no_proxy: except ? `${except},${HERE}` : HERE })
}

export const NO_PROXIES = 'This Node uses no proxy, though the environment names one: take 24.14 or later.'

/** Tells if the environment names a proxy that this Node leaves out. */
export const leavesOutProxy = (env: Environment): boolean =>
  namesProxy(env) && !('setGlobalProxyFromEnv' in http) && env['NODE_USE_ENV_PROXY'] !== '1'

const namesProxy = (env: Environment): boolean => NAMES.some((name) => Boolean(env[name]))
