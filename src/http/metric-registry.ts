/** Metrics in the Prometheus text format 0.0.4: counters, gauges and histograms. */
export type Counter = { add(amount?: number): void }
export type Histogram = { observe(value: number): void }
export type MetricRegistry = ReturnType<typeof metricRegistry>

type Labels = Readonly<Record<string, string>>
type LabelledValue = readonly [Labels, number]
type Family = {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly lines: () => string[]
}

/**
 * The same labels give the same counter or histogram. On the hot path it is looked up once and kept, so that counting is a
 * single addition.
 */
export function metricRegistry() {
  const families = new Map<string, Family>()

  function addFamily(name: string, kind: Family['kind'], help: string, lines: () => string[]): void {
    if (families.has(name)) throw new Error(`the metric ${name} is declared twice`)
    families.set(name, { kind, help, lines })
  }

  return {
    counter(name: string, help: string): (labels?: Labels) => Counter {
      const counts = new Map<string, { value: number }>()
      addFamily(name, 'counter', help, () => [...counts].map(([labels, { value }]) => `${name}${labels} ${value}`))
      return (labels = {}) => {
        const key = formatLabels(labels)
        const count = counts.get(key) ?? { value: 0 }
        counts.set(key, count)
        return {
          add(amount = 1) {
            count.value += amount
          },
        }
      }
    },

    /** A value that is read at each scrape; undefined omits it. */
    gauge(name: string, help: string, read: () => number | undefined): void {
      addFamily(name, 'gauge', help, () => {
        const value = read()
        return value === undefined ? [] : [`${name} ${value}`]
      })
    },

    /** The same for several values with different labels. */
    gauges(name: string, help: string, read: () => readonly LabelledValue[]): void {
      addFamily(name, 'gauge', help, () => read().map(([labels, value]) => `${name}${formatLabels(labels)} ${value}`))
    },

    /** A total that is maintained elsewhere, such as the CPU time of the process. */
    total(name: string, help: string, read: () => number): void {
      addFamily(name, 'counter', help, () => [`${name} ${read()}`])
    },

    totals(name: string, help: string, read: () => readonly LabelledValue[]): void {
      addFamily(name, 'counter', help, () => read().map(([labels, value]) => `${name}${formatLabels(labels)} ${value}`))
    },

    histogram(name: string, help: string, bounds: readonly number[]): (labels?: Labels) => Histogram {
      const series = new Map<string, Series>()
      addFamily(name, 'histogram', help, () =>
        [...series.values()].flatMap((metric) => histogramLines(name, bounds, metric)),
      )
      return (labels = {}) => {
        const key = formatLabels(labels)
        const metric = series.get(key) ?? { labels, counts: new Float64Array(bounds.length + 1), sum: 0 }
        series.set(key, metric)
        return {
          observe(value) {
            let bucket = 0
            while (bucket < bounds.length && value > bounds[bucket]!) bucket++
            metric.counts[bucket]!++
            metric.sum += value
          },
        }
      }
    },

    text(): string {
      let text = ''
      for (const [name, { kind, help, lines }] of families) {
        text += `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${kind}\n`
        for (const line of lines()) text += `${line}\n`
      }
      return text
    },
  }
}

/** A histogram with its labels. */
type Series = { readonly labels: Labels; readonly counts: Float64Array; sum: number }

function histogramLines(name: string, bounds: readonly number[], { labels, counts, sum }: Series): string[] {
  let cumulative = 0
  const lines = [...bounds.map(String), '+Inf'].map((le, bucket) => {
    cumulative += counts[bucket]!
    return `${name}_bucket${formatLabels({ ...labels, le })} ${cumulative}`
  })
  return [...lines, `${name}_sum${formatLabels(labels)} ${sum}`, `${name}_count${formatLabels(labels)} ${cumulative}`]
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabelValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabelValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
