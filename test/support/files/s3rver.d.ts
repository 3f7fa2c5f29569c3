/** The part that tests use of a package without types. */
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
    /** Asked before its own, the first one first. */
    readonly middleware: ((asked: Asked, next: () => Promise<unknown>) => Promise<unknown>)[]
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
