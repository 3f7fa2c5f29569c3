/** The files whose comments are read by people: all sources but what is generated, or never edited again. */
import { readdirSync } from 'node:fs'

const FOLDERS = [
  'activities',
  'api',
  'bench',
  'db',
  'dev',
  'domain',
  'partners',
  'platform',
  'sandbox',
  'temporal',
  'test',
  'workflows',
]

export const commentedFiles = (): string[] => [
  ...readdirSync('.').filter((name) => name.endsWith('.ts')),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|cjs|sql)$/.test(name) && name !== 'schema.sql' && !name.startsWith('migrations/'))
      .map((name) => `${folder}/${name}`),
  ),
]
