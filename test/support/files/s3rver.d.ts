/** The used part of an untyped package. */
declare module 's3rver' {
  export type Asked = { readonly method: string; readonly url: string }
  export default class S3rver {
    constructor(options: {
      readonly port: number
      readonly address: string
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: readonly { readonly name: string }[]
    })
    /** Runs before the server's own, in order. */
    readonly middleware: ((asked: Asked, next: () => Promise<unknown>) => Promise<unknown>)[]
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
