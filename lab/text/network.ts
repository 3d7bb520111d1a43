/**
 * The network that reads clauses, with its gradients. A token is the mean of the vectors of its features; convolutions with gates
 * let it see its neighbours; each label weighs the tokens of a clause (attention), and a text states what its surest clause states.
 * What kind of offer a text is depends on all of it: those labels weigh the tokens of the whole text.
 */
import type { Matrices } from './matrix-kernel.ts'

export type Shape = {
  readonly buckets: number
  readonly size: number
  readonly width: number
  readonly dilations: readonly number[]
  readonly labels: number
  /** Labels from this one on are properties of the whole text. */
  readonly wholeFrom: number
}

type Parameter = {
  readonly value: Float32Array
  readonly gradient: Float32Array
  readonly mean: Float32Array
  readonly variance: Float32Array
  readonly decays: boolean
}

/** A text of a batch: for each token its features. */
export type Sample = {
  readonly tokens: readonly Int32Array[]
  /** Tokens from and to, and the part of the text (a sentence, or all of it) that the clause belongs to. */
  readonly clauses: readonly (readonly [number, number, number])[]
  readonly parts: number
}

const place = (array: Float32Array) => array.byteOffset / 4
/** Sharpness of the soft maximum over the clauses of a text. */
const SHARPNESS = 3
const ATTENTION_GAIN = 3
const CHUNK = 192
/** Of a clause and label; smaller ones change nothing. */
const LEAST_GRADIENT = 2e-6

/** `startOf`: the log-odds of a label where nothing is known of the text. */
export function createNetwork(
  shape: Shape,
  matrices: Matrices,
  random: () => number,
  startOf: (label: number) => number,
) {
  const { buckets, size, width, dilations, labels, wholeFrom } = shape
  const padding = Math.max(...dilations) * ((width - 1) / 2)
  const columns = Math.ceil(labels / 16) * 16
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const parameters: Parameter[] = []
  const parameter = (length: number, initial: (i: number) => number, decays = false): Parameter => {
    const value = matrices.allocate(length)
    for (let i = 0; i < length; i++) value[i] = initial(i)
    const result = {
      value,
      gradient: matrices.allocate(length),
      mean: new Float32Array(length),
      variance: new Float32Array(length),
      decays,
    }
    parameters.push(result)
    return result
  }
  const embedding = matrices.allocate(buckets * size)
  for (let i = 0; i < embedding.length; i++) embedding[i] = gaussian() * 0.1
  const embeddingMean = new Float32Array(buckets * size)
  const embeddingVariance = new Float32Array(buckets * size)
  const embeddingGradient = new Float32Array(buckets * size)
  const touched = new Int32Array(buckets)
  const isTouched = new Uint8Array(buckets)
  let touchedCount = 0

  const spread = 1 / Math.sqrt(size * width)
  const layers = dilations.map((dilation) => ({
    dilation,
    gain: parameter(size, () => 1),
    offset: parameter(size, () => 0),
    weights: parameter(width * size * size * 2, () => gaussian() * spread, true),
    bias: parameter(size * 2, () => 0),
  }))
  const attention = parameter(size * columns, () => gaussian() * 0.05, true)
  const values = parameter(size * columns, () => gaussian() * 0.05, true)
  const valueBias = parameter(columns, (label) => Math.max(-2, startOf(label) / ATTENTION_GAIN))
  const bias = parameter(columns, (label) => startOf(label) - ATTENTION_GAIN * (valueBias.value[label] as number))

  // Space for a batch, enlarged as needed.
  let capacity = 0
  let space: Record<string, Float32Array> = {}
  const perLayer: { normal: Float32Array; scale: Float32Array; hidden: Float32Array; drop: Float32Array }[] = []
  const states: Float32Array[] = []
  function reserve(rows: number) {
    if (rows <= capacity) return
    capacity = Math.ceil(rows * 1.3)
    const rowsOf = (length: number) => matrices.allocate(capacity * length)
    space = {
      a: rowsOf(columns),
      v: rowsOf(columns),
      da: rowsOf(columns),
      dv: rowsOf(columns),
      dt: rowsOf(columns),
      dx: rowsOf(size),
      dn: rowsOf(size),
      dh: rowsOf(size * 2),
    }
    states.length = 0
    perLayer.length = 0
    states.push(rowsOf(size))
    for (const _ of layers) {
      states.push(rowsOf(size))
      perLayer.push({
        normal: rowsOf(size),
        scale: new Float32Array(capacity),
        hidden: rowsOf(size * 2),
        drop: new Float32Array(capacity * size),
      })
    }
  }
  const transposed = {
    weights: matrices.allocate(width * size * size * 2),
    head: matrices.allocate(size * columns),
  }

  /** C += A · W over rows, or A and C shifted against each other. */
  const times = (
    rows: number,
    a: Float32Array,
    aRow: number,
    inner: number,
    w: Float32Array,
    wAt: number,
    outer: number,
    c: Float32Array,
    cRow: number,
  ) =>
    matrices.multiply(
      rows,
      inner,
      outer,
      { at: place(a) + aRow * inner, rowStride: inner, columnStride: 1 },
      { at: place(w) + wAt, stride: outer },
      { at: place(c) + cRow * outer, stride: outer },
    )
  /** W' += Aᵀ · C, in chunks that fit into the cache. */
  const transposedTimes = (
    rows: number,
    a: Float32Array,
    aRow: number,
    inner: number,
    c: Float32Array,
    cRow: number,
    outer: number,
    w: Float32Array,
    wAt: number,
  ) => {
    for (let from = 0; from < rows; from += CHUNK)
      matrices.multiply(
        inner,
        Math.min(CHUNK, rows - from),
        outer,
        { at: place(a) + (aRow + from) * inner, rowStride: 1, columnStride: inner },
        { at: place(c) + (cRow + from) * outer, stride: outer },
        { at: place(w) + wAt, stride: outer },
      )
  }

  type Pass = {
    readonly rows: number
    readonly owners: Int32Array
    readonly clauseStart: Int32Array
    readonly clauseEnd: Int32Array
    readonly clauseText: Int32Array
    readonly clauseZ: Float32Array
    readonly textZ: Float32Array
    /** Of the labels of whole texts. */
    readonly wholeZ: Float32Array
    readonly dropEmbedding: Float32Array | null
    readonly features: (Int32Array | null)[]
    /** Row of the first token of each text. */
    readonly firstRows: readonly number[]
    /** Row behind the last token of each text. */
    readonly wholeEnds: readonly number[]
    /** What each token says of each label, before attention. */
    readonly tokenZ: Float32Array
    /** To be filled with gradients of `tokenZ`. */
    readonly tokenGradient: Float32Array
  }

  /** The log-odds of labels over the tokens of rows, weighed by their attention. */
  function attend(from: number, to: number, firstLabel: number, lastLabel: number, z: Float32Array, at: number) {
    const { a, v } = space as { a: Float32Array; v: Float32Array }
    for (let l = firstLabel; l < lastLabel; l++) {
      let max = -1e9
      for (let r = from; r < to; r++) max = Math.max(max, a[r * columns + l] as number)
      let sum = 0
      let total = 0
      for (let r = from; r < to; r++) {
        const weight = Math.exp((a[r * columns + l] as number) - max)
        sum += weight
        total += weight * (v[r * columns + l] as number)
      }
      z[at + l] = (ATTENTION_GAIN * total) / sum + (bias.value[l] as number)
    }
  }

  function forward(samples: readonly Sample[], drop: number): Pass {
    let rows = padding
    for (const { tokens } of samples) rows += tokens.length + padding
    reserve(rows)
    const owners = new Int32Array(rows).fill(-1)
    const features: (Int32Array | null)[] = new Array(rows).fill(null)
    const firstRows: number[] = []
    const starts: number[] = []
    const ends: number[] = []
    const texts: number[] = []
    const x0 = states[0] as Float32Array
    x0.fill(0, 0, rows * size)
    let row = padding
    let parts = 0
    samples.forEach(({ tokens, clauses, parts: count }, text) => {
      for (const [from, to, part] of clauses) {
        starts.push(row + from)
        ends.push(row + to)
        texts.push(parts + part)
      }
      parts += count
      firstRows.push(row)
      for (const ids of tokens) {
        owners[row] = text
        features[row] = ids
        const scale = 1 / ids.length
        const at = row * size
        for (let f = 0; f < ids.length; f++) {
          const source = (ids[f] as number) * size
          for (let i = 0; i < size; i++) x0[at + i] = (x0[at + i] as number) + (embedding[source + i] as number) * scale
        }
        row++
      }
      row += padding
    })
    const keep = 1 / (1 - drop)
    let dropEmbedding: Float32Array | null = null
    if (drop > 0) {
      dropEmbedding = new Float32Array(rows * size)
      for (let i = 0; i < rows * size; i++) {
        const factor = random() < drop ? 0 : keep
        dropEmbedding[i] = factor
        x0[i] = (x0[i] as number) * factor
      }
    }
    layers.forEach((layer, index) => {
      const x = states[index] as Float32Array
      const y = states[index + 1] as Float32Array
      const { normal, scale, hidden, drop: mask } = perLayer[index] as (typeof perLayer)[0]
      const gain = layer.gain.value
      const offset = layer.offset.value
      for (let r = 0; r < rows; r++) {
        const at = r * size
        if ((owners[r] as number) < 0) {
          normal.fill(0, at, at + size)
          continue
        }
        let mean = 0
        for (let i = 0; i < size; i++) mean += x[at + i] as number
        mean /= size
        let variance = 0
        for (let i = 0; i < size; i++) variance += ((x[at + i] as number) - mean) ** 2
        const inverse = 1 / Math.sqrt(variance / size + 1e-5)
        scale[r] = inverse
        for (let i = 0; i < size; i++)
          normal[at + i] = ((x[at + i] as number) - mean) * inverse * (gain[i] as number) + (offset[i] as number)
      }
      const biases = layer.bias.value
      for (let r = 0; r < rows; r++) hidden.set(biases, r * size * 2)
      for (let o = 0; o < width; o++) {
        const shift = (o - (width - 1) / 2) * layer.dilation
        // hidden[r] += normal[r + shift] · W[o]
        times(
          rows - 2 * padding,
          normal,
          padding + shift,
          size,
          layer.weights.value,
          o * size * size * 2,
          size * 2,
          hidden,
          padding,
        )
      }
      for (let r = 0; r < rows; r++) {
        const at = r * size
        if ((owners[r] as number) < 0) {
          y.fill(0, at, at + size)
          continue
        }
        const h = r * size * 2
        for (let i = 0; i < size; i++) {
          const gated = (hidden[h + i] as number) / (1 + Math.exp(-(hidden[h + size + i] as number)))
          const factor = drop > 0 ? (random() < drop ? 0 : keep) : 1
          mask[at + i] = factor
          y[at + i] = (x[at + i] as number) + gated * factor
        }
      }
    })
    const last = states[layers.length] as Float32Array
    const { a, v } = space as { a: Float32Array; v: Float32Array }
    a.fill(0, 0, rows * columns)
    for (let r = 0; r < rows; r++) v.set(valueBias.value, r * columns)
    times(rows, last, 0, size, attention.value, 0, columns, a, 0)
    times(rows, last, 0, size, values.value, 0, columns, v, 0)
    const clauseZ = new Float32Array(starts.length * columns)
    for (let c = 0; c < starts.length; c++)
      attend(starts[c] as number, ends[c] as number, 0, wholeFrom, clauseZ, c * columns)
    const wholeZ = new Float32Array(samples.length * columns)
    samples.forEach(({ tokens }, text) => {
      const first = firstRows[text] as number
      attend(first, first + tokens.length, wholeFrom, labels, wholeZ, text * columns)
    })
    const textZ = new Float32Array(parts * columns).fill(-1e9)
    for (let c = 0; c < starts.length; c++)
      for (let l = 0; l < wholeFrom; l++) {
        const at = (texts[c] as number) * columns + l
        textZ[at] = Math.max(textZ[at] as number, clauseZ[c * columns + l] as number)
      }
    const sums = new Float32Array(parts * columns)
    for (let c = 0; c < starts.length; c++)
      for (let l = 0; l < wholeFrom; l++) {
        const at = (texts[c] as number) * columns + l
        sums[at] =
          (sums[at] as number) + Math.exp(SHARPNESS * ((clauseZ[c * columns + l] as number) - (textZ[at] as number)))
      }
    for (let i = 0; i < sums.length; i++)
      if ((sums[i] as number) > 0) textZ[i] = (textZ[i] as number) + Math.log(sums[i] as number) / SHARPNESS
    const tokenGradient = (space.dt as Float32Array).subarray(0, rows * columns)
    tokenGradient.fill(0)
    return {
      firstRows,
      wholeEnds: samples.map(({ tokens }, text) => (firstRows[text] as number) + tokens.length),
      tokenZ: v,
      tokenGradient,
      rows,
      owners,
      clauseStart: Int32Array.from(starts),
      clauseEnd: Int32Array.from(ends),
      clauseText: Int32Array.from(texts),
      clauseZ,
      textZ,
      wholeZ,
      dropEmbedding,
      features,
    }
  }

  /** Adds the gradients of a batch, from those of its texts, clauses and whole texts. */
  function backward(pass: Pass, textGradient: Float32Array, clauseGradient: Float32Array, wholeGradient: Float32Array) {
    const { tokenGradient, rows, owners, clauseStart, clauseEnd, clauseText, clauseZ, textZ, wholeZ, wholeEnds } = pass
    const { a, v, da, dv, dx, dn, dh } = space as Record<'a' | 'v' | 'da' | 'dv' | 'dx' | 'dn' | 'dh', Float32Array>
    da.fill(0, 0, rows * columns)
    dv.set(tokenGradient)
    const blame = (from: number, to: number, l: number, z: number, g: number) => {
      bias.gradient[l] = (bias.gradient[l] as number) + g
      let max = -1e9
      for (let r = from; r < to; r++) max = Math.max(max, a[r * columns + l] as number)
      let sum = 0
      for (let r = from; r < to; r++) sum += Math.exp((a[r * columns + l] as number) - max)
      const mean = (z - (bias.value[l] as number)) / ATTENTION_GAIN
      for (let r = from; r < to; r++) {
        const at = r * columns + l
        const weight = Math.exp((a[at] as number) - max) / sum
        dv[at] = (dv[at] as number) + g * ATTENTION_GAIN * weight
        da[at] = g * ATTENTION_GAIN * weight * ((v[at] as number) - mean)
      }
    }
    for (let c = 0; c < clauseStart.length; c++) {
      const text = clauseText[c] as number
      for (let l = 0; l < wholeFrom; l++) {
        const z = clauseZ[c * columns + l] as number
        let g = clauseGradient[c * columns + l] as number
        const t = textGradient[text * columns + l] as number
        if (t !== 0) g += t * Math.exp(SHARPNESS * (z - (textZ[text * columns + l] as number)))
        if (g > LEAST_GRADIENT || g < -LEAST_GRADIENT) blame(clauseStart[c] as number, clauseEnd[c] as number, l, z, g)
      }
    }
    pass.firstRows.forEach((first, text) => {
      for (let l = wholeFrom; l < labels; l++)
        blame(
          first,
          wholeEnds[text] as number,
          l,
          wholeZ[text * columns + l] as number,
          wholeGradient[text * columns + l] as number,
        )
    })
    const last = states[layers.length] as Float32Array
    transposedTimes(rows, last, 0, size, da, 0, columns, attention.gradient, 0)
    transposedTimes(rows, last, 0, size, dv, 0, columns, values.gradient, 0)
    for (let r = 0; r < rows; r++)
      if ((owners[r] as number) >= 0)
        for (let l = 0; l < labels; l++)
          valueBias.gradient[l] = (valueBias.gradient[l] as number) + (dv[r * columns + l] as number)
    dx.fill(0, 0, rows * size)
    for (const [head, d] of [
      [attention, da],
      [values, dv],
    ] as const) {
      transpose(head.value, 0, size, columns, transposed.head, 0)
      times(rows, d, 0, columns, transposed.head, 0, size, dx, 0)
    }
    for (let index = layers.length - 1; index >= 0; index--) {
      const layer = layers[index] as (typeof layers)[0]
      const x = states[index] as Float32Array
      const { normal, scale, hidden, drop: mask } = perLayer[index] as (typeof perLayer)[0]
      dh.fill(0, 0, rows * size * 2)
      for (let r = 0; r < rows; r++) {
        const at = r * size
        if ((owners[r] as number) < 0) {
          dx.fill(0, at, at + size)
          continue
        }
        const h = r * size * 2
        for (let i = 0; i < size; i++) {
          const g = (dx[at + i] as number) * (mask[at + i] as number)
          if (g === 0) continue
          const gate = 1 / (1 + Math.exp(-(hidden[h + size + i] as number)))
          dh[h + i] = g * gate
          dh[h + size + i] = g * (hidden[h + i] as number) * gate * (1 - gate)
        }
      }
      const biasGradient = layer.bias.gradient
      for (let r = 0; r < rows; r++)
        if ((owners[r] as number) >= 0)
          for (let i = 0; i < size * 2; i++)
            biasGradient[i] = (biasGradient[i] as number) + (dh[r * size * 2 + i] as number)
      dn.fill(0, 0, rows * size)
      for (let o = 0; o < width; o++) {
        const shift = (o - (width - 1) / 2) * layer.dilation
        transposedTimes(
          rows - 2 * padding,
          normal,
          padding + shift,
          size,
          dh,
          padding,
          size * 2,
          layer.weights.gradient,
          o * size * size * 2,
        )
        transpose(layer.weights.value, o * size * size * 2, size, size * 2, transposed.weights, 0)
        times(rows - 2 * padding, dh, padding, size * 2, transposed.weights, 0, size, dn, padding + shift)
      }
      const gain = layer.gain.value
      for (let r = 0; r < rows; r++) {
        if ((owners[r] as number) < 0) continue
        const at = r * size
        const inverse = scale[r] as number
        let mean = 0
        for (let i = 0; i < size; i++) mean += x[at + i] as number
        mean /= size
        let sumG = 0
        let sumGX = 0
        for (let i = 0; i < size; i++) {
          const xn = ((x[at + i] as number) - mean) * inverse
          const g = dn[at + i] as number
          layer.gain.gradient[i] = (layer.gain.gradient[i] as number) + g * xn
          layer.offset.gradient[i] = (layer.offset.gradient[i] as number) + g
          sumG += g * (gain[i] as number)
          sumGX += g * (gain[i] as number) * xn
        }
        for (let i = 0; i < size; i++) {
          const xn = ((x[at + i] as number) - mean) * inverse
          dx[at + i] =
            (dx[at + i] as number) +
            inverse * ((dn[at + i] as number) * (gain[i] as number) - sumG / size - (xn * sumGX) / size)
        }
      }
    }
    const { dropEmbedding, features } = pass
    for (let r = 0; r < rows; r++) {
      const ids = features[r]
      if (!ids) continue
      const at = r * size
      const share = 1 / ids.length
      if (dropEmbedding)
        for (let i = 0; i < size; i++) dx[at + i] = (dx[at + i] as number) * (dropEmbedding[at + i] as number)
      for (let f = 0; f < ids.length; f++) {
        const id = ids[f] as number
        if (!isTouched[id]) {
          isTouched[id] = 1
          touched[touchedCount++] = id
        }
        const target = id * size
        for (let i = 0; i < size; i++)
          embeddingGradient[target + i] = (embeddingGradient[target + i] as number) + (dx[at + i] as number) * share
      }
    }
  }

  let step = 0
  /** One step of Adam; rows of the embedding that no text had stay as they are. */
  function update(rate: number, featureRate: number, decay: number, clip: number) {
    step++
    const first = 1 - 0.9 ** step
    const second = 1 - 0.999 ** step
    let norm = 0
    for (const { gradient } of parameters)
      for (let i = 0; i < gradient.length; i++) norm += (gradient[i] as number) ** 2
    for (let t = 0; t < touchedCount; t++) {
      const at = (touched[t] as number) * size
      for (let i = 0; i < size; i++) norm += (embeddingGradient[at + i] as number) ** 2
    }
    const factor = Math.min(1, clip / Math.sqrt(norm + 1e-12))
    const adam = (
      value: Float32Array,
      gradient: Float32Array,
      mean: Float32Array,
      variance: Float32Array,
      from: number,
      to: number,
      shrink: number,
      speed: number,
    ) => {
      for (let i = from; i < to; i++) {
        const g = (gradient[i] as number) * factor
        gradient[i] = 0
        const m = (mean[i] as number) * 0.9 + g * 0.1
        const s = (variance[i] as number) * 0.999 + g * g * 0.001
        mean[i] = m
        variance[i] = s
        value[i] = (value[i] as number) * shrink - (speed * (m / first)) / (Math.sqrt(s / second) + 1e-8)
      }
    }
    for (const { value, gradient, mean, variance, decays } of parameters)
      adam(value, gradient, mean, variance, 0, value.length, decays ? 1 - rate * decay : 1, rate)
    for (let t = 0; t < touchedCount; t++) {
      const id = touched[t] as number
      const from = id * size
      const shrink = 1 - rate * decay
      adam(
        embedding,
        embeddingGradient,
        embeddingMean,
        embeddingVariance,
        from,
        from + size,
        shrink,
        rate * featureRate,
      )
      isTouched[id] = 0
    }
    touchedCount = 0
    return Math.sqrt(norm)
  }

  return {
    columns,
    embedding,
    forward,
    backward,
    update,
    /** Everything that was learned, in the order in which the reader expects it. */
    parts: () => ({
      embedding,
      layers: layers.map(({ dilation, gain, offset, weights, bias: layerBias }) => ({
        dilation,
        gain: gain.value,
        offset: offset.value,
        weights: weights.value,
        bias: layerBias.value,
      })),
      attention: attention.value,
      values: values.value,
      valueBias: valueBias.value,
      bias: bias.value,
    }),
    parameters,
    embeddingGradient,
  }
}
export type Network = ReturnType<typeof createNetwork>

function transpose(
  source: Float32Array,
  from: number,
  rows: number,
  columns: number,
  target: Float32Array,
  to: number,
) {
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) target[to + c * rows + r] = source[from + r * columns + c] as number
}
