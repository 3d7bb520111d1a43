/** Solves A·x = b for a symmetric positive definite A (row-major, size × size) by Cholesky; A and b are consumed. */
export function solveSymmetric(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length
  for (let j = 0; j < size; j += 1) {
    let diagonal = matrix[j * size + j]!
    for (let k = 0; k < j; k += 1) diagonal -= matrix[j * size + k]! ** 2
    const root = Math.sqrt(Math.max(diagonal, 1e-12))
    matrix[j * size + j] = root
    for (let i = j + 1; i < size; i += 1) {
      let sum = matrix[i * size + j]!
      for (let k = 0; k < j; k += 1) sum -= matrix[i * size + k]! * matrix[j * size + k]!
      matrix[i * size + j] = sum / root
    }
  }
  for (let i = 0; i < size; i += 1) {
    let sum = right[i]!
    for (let k = 0; k < i; k += 1) sum -= matrix[i * size + k]! * right[k]!
    right[i] = sum / matrix[i * size + i]!
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    let sum = right[i]!
    for (let k = i + 1; k < size; k += 1) sum -= matrix[k * size + i]! * right[k]!
    right[i] = sum / matrix[i * size + i]!
  }
  return right
}
