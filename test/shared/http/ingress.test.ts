/** Paths that the example of an ingress lets in: all of people and programs, and none of operators. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createApp } from '../../../api/app.ts'
import { mountPages } from '../../../pages/app.ts'
import { allRoutes } from '../../../sandbox/routes.ts'

const manifest = readFileSync('ops/kubernetes/api.yaml', 'utf8')
const ingress = manifest.slice(manifest.indexOf('kind: Ingress'))
const prefixes = [...ingress.matchAll(/path: (\S+), pathType: (\w+)/g)].map(([, path = '', type]) => [path, type])

/** Paths of operators: their data, their pages, and what only the machine itself asks. */
const INSIDE = ['/metrics', '/codec', '/operate', '/healthz', '/readyz']

/** Tells if a prefix covers a path, element by element, as Kubernetes compares them. */
const covers = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

test('each path of the app is let in, or is of operators, and never both', () => {
  const app = createApp(allRoutes)
  mountPages(app)
  const paths = new Set(app.routes.map(({ path }) => path).filter((path) => path !== '/*'))
  expect(paths.size).toBeGreaterThan(200)
  expect(new Set(prefixes.map(([, type]) => type))).toEqual(new Set(['Prefix']))
  const isIn = (path: string) => prefixes.some(([prefix = '']) => covers(prefix, path))
  const isInside = (path: string) => INSIDE.some((prefix) => covers(prefix, path))
  expect([...paths].filter((path) => isIn(path) === isInside(path))).toEqual([])
  expect(prefixes.filter(([prefix = '']) => ![...paths].some((path) => covers(prefix, path)))).toEqual([])
})
