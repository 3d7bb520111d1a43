/** Multiplication of matrices in WebAssembly with vector instructions, assembled here from its text. */
import wabt from 'wabt'

const ROWS = 4
const COLUMNS = 4 // vectors of four numbers

/** C += A · B for one block of rows; A has free strides, so that it may be transposed. All strides in bytes. */
function block(rows: number, name: string): string {
  const cells = Array.from({ length: rows * COLUMNS }, (_, i) => ({
    row: Math.floor(i / COLUMNS),
    column: i % COLUMNS,
  }))
  const local = ({ row, column }: { row: number; column: number }) => `$c${row}_${column}`
  const cAddress = (row: number) => `(i32.add (local.get $c) (i32.mul (i32.const ${row}) (local.get $ldc)))`
  const aAddress = (row: number) => `(i32.add (local.get $pa) (i32.mul (i32.const ${row}) (local.get $sai)))`
  return `
  (func $${name} (param $k i32) (param $n i32) (param $a i32) (param $sai i32) (param $sak i32) (param $b i32) (param $ldb i32) (param $c i32) (param $ldc i32)
    (local $end i32) (local $kk i32) (local $pa i32) (local $pb i32)
    ${Array.from({ length: rows }, (_, row) => `(local $a${row} i32)`).join(' ')}
    ${cells.map((cell) => `(local ${local(cell)} v128)`).join(' ')}
    ${Array.from({ length: COLUMNS }, (_, column) => `(local $b${column} v128)`).join(' ')} (local $s v128)
    (local.set $end (i32.add (local.get $c) (i32.shl (local.get $n) (i32.const 2))))
    (loop $columns
      ${cells.map((cell) => `(local.set ${local(cell)} (v128.load offset=${cell.column * 16} ${cAddress(cell.row)}))`).join('\n      ')}
      (local.set $pa (local.get $a))
      ${Array.from({ length: rows }, (_, row) => `(local.set $a${row} ${aAddress(row)})`).join('\n      ')}
      (local.set $pb (local.get $b))
      (local.set $kk (local.get $k))
      (loop $inner
        ${Array.from({ length: COLUMNS }, (_, column) => `(local.set $b${column} (v128.load offset=${column * 16} (local.get $pb)))`).join('\n        ')}
        ${Array.from(
          { length: rows },
          (_, row) => `(local.set $s (v128.load32_splat (local.get $a${row})))
        ${Array.from({ length: COLUMNS }, (_, column) => `(local.set $c${row}_${column} (f32x4.add (local.get $c${row}_${column}) (f32x4.mul (local.get $s) (local.get $b${column}))))`).join('\n        ')}
        (local.set $a${row} (i32.add (local.get $a${row}) (local.get $sak)))`,
        ).join('\n        ')}
        (local.set $pb (i32.add (local.get $pb) (local.get $ldb)))
        (local.set $kk (i32.sub (local.get $kk) (i32.const 1)))
        (br_if $inner (local.get $kk)))
      ${cells.map((cell) => `(v128.store offset=${cell.column * 16} ${cAddress(cell.row)} (local.get ${local(cell)}))`).join('\n      ')}
      (local.set $c (i32.add (local.get $c) (i32.const ${COLUMNS * 16})))
      (local.set $b (i32.add (local.get $b) (i32.const ${COLUMNS * 16})))
      (br_if $columns (i32.lt_u (local.get $c) (local.get $end)))))`
}

const MODULE = `(module
  (import "lab" "memory" (memory 1 65536))
  ${block(ROWS, 'block')}
  ${block(1, 'row')}
  (func (export "multiply") (param $m i32) (param $k i32) (param $n i32) (param $a i32) (param $sai i32) (param $sak i32) (param $b i32) (param $ldb i32) (param $c i32) (param $ldc i32)
    (loop $blocks
      (if (i32.ge_s (local.get $m) (i32.const ${ROWS}))
        (then
          (call $block (local.get $k) (local.get $n) (local.get $a) (local.get $sai) (local.get $sak) (local.get $b) (local.get $ldb) (local.get $c) (local.get $ldc))
          (local.set $m (i32.sub (local.get $m) (i32.const ${ROWS})))
          (local.set $a (i32.add (local.get $a) (i32.mul (i32.const ${ROWS}) (local.get $sai))))
          (local.set $c (i32.add (local.get $c) (i32.mul (i32.const ${ROWS}) (local.get $ldc))))
          (br $blocks))))
    (loop $rows
      (if (local.get $m)
        (then
          (call $row (local.get $k) (local.get $n) (local.get $a) (local.get $sai) (local.get $sak) (local.get $b) (local.get $ldb) (local.get $c) (local.get $ldc))
          (local.set $m (i32.sub (local.get $m) (i32.const 1)))
          (local.set $a (i32.add (local.get $a) (local.get $sai)))
          (local.set $c (i32.add (local.get $c) (local.get $ldc)))
          (br $rows))))))`

/** A matrix with its own layout: element (i, k) stands at `at + i * rowStride + k * columnStride`, in numbers. */
export type Operand = { readonly at: number; readonly rowStride: number; readonly columnStride: number }

export async function kernelBytes(): Promise<Uint8Array<ArrayBuffer>> {
  const module = (await wabt()).parseWat('matrix.wat', MODULE)
  return new Uint8Array(module.toBinary({}).buffer)
}

export async function openMatrices(megabytes: number) {
  const memory = new WebAssembly.Memory({ initial: megabytes * 16, maximum: 65536 })
  const { instance } = await WebAssembly.instantiate(await kernelBytes(), { lab: { memory } })
  const kernel = instance.exports.multiply as (...values: number[]) => void
  let used = 64
  return {
    /** Numbers at a place that is a multiple of 16 bytes. */
    allocate(length: number): Float32Array {
      const at = used
      used += Math.ceil(length / 4) * 16
      if (used > memory.buffer.byteLength) memory.grow(Math.ceil((used - memory.buffer.byteLength) / 65536))
      return new Float32Array(memory.buffer, at, length)
    },
    /** C (rows × columns) += A (rows × inner) · B (inner × columns, dense rows of `bStride`). `columns` is a multiple of 16. */
    multiply(
      rows: number,
      inner: number,
      columns: number,
      a: Operand,
      b: { at: number; stride: number },
      c: { at: number; stride: number },
    ) {
      if (rows > 0)
        kernel(
          rows,
          inner,
          columns,
          a.at * 4,
          a.rowStride * 4,
          a.columnStride * 4,
          b.at * 4,
          b.stride * 4,
          c.at * 4,
          c.stride * 4,
        )
    },
  }
}
export type Matrices = Awaited<ReturnType<typeof openMatrices>>
