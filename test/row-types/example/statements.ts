/** Statements whose declared types are right or wrong, for test/rules/row-types.test.ts. */
type Query<Rows> = { readonly rows: Rows }
declare function sql<Rows extends object>(strings: TemplateStringsArray, ...values: unknown[]): Query<Rows>
declare function reader<Row extends object>(query: Query<object>): Promise<Row[]>

type Row = { id: string; status: 'open' | 'closed'; count: number | null; lines?: readonly { text: string }[] }
export const direct = sql<Row[]>`select direct`

const select = (): Query<object> => sql`select fragment`
export const traced = reader<Row>(sql`${select()} where true`)
export const hidden = (query: Query<object>): Promise<Row[]> => reader<Row>(query)
