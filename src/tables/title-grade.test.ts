import { expect, test } from 'bun:test'
import { splitTitleGrade } from './title-grade.ts'

test.each([
  ['iPhone 13 128GB (B)', 'iPhone 13 128GB', 'B'],
  ['iPhone 12 64GB (A/B)', 'iPhone 12 64GB', 'A/B'],
  ['iPhone 14 128GB Grade A', 'iPhone 14 128GB', 'A'],
  ['Galaxy S21 128GB Zustand B', 'Galaxy S21 128GB', 'B'],
  ['Galaxy S22 128GB Black C', 'Galaxy S22 128GB Black', 'C'],
  ['iPhone 13 128 Go [Grade B]', 'iPhone 13 128 Go', 'B'],
  ['iPhone 12 64GB Black (Unlocked) - Good', 'iPhone 12 64GB Black (Unlocked)', 'Good'],
  ['Galaxy S22 128 Go – Très bon état', 'Galaxy S22 128 Go', 'Très bon état'],
])('%s ends with a grade', (title, rest, grade) => {
  expect(splitTitleGrade(title)).toEqual({ title: rest, grade })
})

test.each([
  'Pixel 7 A',
  'Nothing Phone (2a)',
  'Galaxy A',
  'iPhone 13 128GB',
  'Moto G Power B',
  'iPhone 13 - Midnight',
  'iPhone 13 (Model A)',
])('%s ends with no grade', (title) => {
  expect(splitTitleGrade(title)).toBeNull()
})
