/**
 * Traces: spans of requests, transactions, signals, activities and partner calls. Off, and not even loaded, unless
 * OTEL_EXPORTER_OTLP_ENDPOINT is set. A span behind a commit is linked to its cause, not nested in it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Link, Span, SpanKind, Tracer } from '@opentelemetry/api'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import { config } from './config.ts'

type Tracing = {
  readonly api: typeof import('@opentelemetry/api')
  readonly tracer: Tracer
  readonly stop: () => Promise<void>
}

/** Undefined while traces are off: every hook below returns at once then. */
let tracing: Tracing | undefined
/** Used only while traces are on: it makes each promise of Node 20 slower. */
const active = new AsyncLocalStorage<OpenSpan>()

/** Loads the SDK and begins to export. Does nothing without an endpoint or processors of a test. */
export async function startTraces(service: 'api' | 'worker', processors?: SpanProcessor[]): Promise<void> {
  const endpoint = config.otelExporterOtlpEndpoint
  if (!processors && !endpoint) return
  const [api, { BatchSpanProcessor, TracerProvider }, { resourceFromAttributes }, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `business-finance-${service}`,
      'service.version': config.buildId,
    }),
    spanProcessors: processors ?? [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
    ],
  })
  tracing = { api, tracer: provider.getTracer('business-finance-service'), stop: () => provider.shutdown() }
}

/** Exports what is left, and turns traces off. A collector that is away loses it. */
export async function stopTraces(): Promise<void> {
  const ended = tracing
  tracing = undefined
  await ended?.stop().catch(() => {})
}

export const isTracing = (): boolean => tracing !== undefined

/** Kinds of spans, by their names in OpenTelemetry. */
type Kind = Lowercase<keyof typeof SpanKind>

export type SpanOptions = {
  readonly kind?: Kind
  /** Facts without secrets: ids, route patterns, states. */
  readonly attributes?: Attributes
  /** Causes, each as its `traceparent`. If given, the span begins a trace of its own, and is linked to them. */
  readonly after?: readonly (string | null | undefined)[]
}

/** Span that has not ended. */
export class OpenSpan {
  constructor(
    readonly span: Span,
    /** Its name for others (W3C Trace Context). */
    readonly traceparent: string,
  ) {}

  /** Links the span to a further cause. */
  follows(traceparent: string | null | undefined): void {
    this.span.addLinks(linksTo([traceparent]))
  }

  /** Runs work inside the span, where a driver has lost the context. */
  inside<Result>(work: () => Result): Result {
    return active.run(this, work)
  }
}

/**
 * Runs work in a span, and ends it with the work. Without `after` it is nested in the present one. Costs a comparison
 * while traces are off.
 */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan | undefined) => Promise<Result>,
): Promise<Result> {
  return tracing ? runInSpan(tracing, name, options, work) : work(undefined)
}

async function runInSpan<Result>(
  { api, tracer }: Tracing,
  name: string,
  { kind = 'internal', attributes = {}, after }: SpanOptions,
  work: (span: OpenSpan | undefined) => Promise<Result>,
): Promise<Result> {
  const outer = after ? undefined : active.getStore()
  const context = outer ? api.trace.setSpan(api.ROOT_CONTEXT, outer.span) : api.ROOT_CONTEXT
  // an upper-case kind is a member of the enumeration
  const options = { kind: api.SpanKind[kind.toUpperCase() as keyof typeof SpanKind], attributes, links: linksTo(after) }
  const span = tracer.startSpan(name, options, context)
  const { traceId, spanId, traceFlags } = span.spanContext()
  const open = new OpenSpan(span, `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`)
  try {
    return await open.inside(() => work(open))
  } catch (error) {
    // the message stays out: it may quote a row
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
    span.setStatus({ code: api.SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Makes links of what can be parsed; a caller's header may hold anything. */
function linksTo(causes: SpanOptions['after'] = []): Link[] {
  return causes.flatMap((cause) => {
    const [, traceId, spanId, flags] = TRACEPARENT.exec(cause ?? '') ?? []
    if (!traceId || !spanId || !flags) return []
    return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true } }]
  })
}

/** Names the present span for rows and partners; undefined while traces are off. */
export const traceparent = (): string | undefined => (tracing ? active.getStore()?.traceparent : undefined)

/** Returns the trace of the present span for log lines. */
export const traceFields = (): { trace_id?: string } => {
  const open = tracing && active.getStore()
  return open ? { trace_id: open.span.spanContext().traceId } : {}
}
