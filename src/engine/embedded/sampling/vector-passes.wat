;; The passes over all logits that sampling needs, four numbers at a time. Compiled to vector-passes.wasm by
;; `npm run vector-passes`; a test compares the two. Addresses and ends are in bytes; `$from` and `$to` lie on blocks of
;; 256 numbers. NaN is neither the highest of a block, nor does it weigh anything, nor is it collected.
(module
  (memory (export "memory") 1)

  ;; Writes the highest number of each block.
  (func (export "maxima") (param $from i32) (param $to i32) (param $out i32)
    (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $a (v128.const f32x4 -inf -inf -inf -inf))
        (local.set $b (local.get $a))
        (local.set $c (local.get $a))
        (local.set $d (local.get $a))
        (local.set $end (i32.add (local.get $from) (i32.const 1024)))
        ;; Four chains of comparisons, none of which waits for another.
        (loop $numbers
          (local.set $a (f32x4.pmax (local.get $a) (v128.load (local.get $from))))
          (local.set $b (f32x4.pmax (local.get $b) (v128.load offset=16 (local.get $from))))
          (local.set $c (f32x4.pmax (local.get $c) (v128.load offset=32 (local.get $from))))
          (local.set $d (f32x4.pmax (local.get $d) (v128.load offset=48 (local.get $from))))
          (local.set $from (i32.add (local.get $from) (i32.const 64)))
          (br_if $numbers (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $a (f32x4.pmax (f32x4.pmax (local.get $a) (local.get $b)) (f32x4.pmax (local.get $c) (local.get $d))))
        (f32.store (local.get $out)
          (f32.max
            (f32.max (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.max (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $blocks))))

  ;; Writes exp((number - best) * heat) for each number, and the sum of each block. 0 for numbers below the floor and where
  ;; it is less than 2^-58. `$heat` is multiplied by log2(e) already.
  (func (export "weigh")
    (param $from i32) (param $to i32) (param $best f32) (param $heat f32) (param $floor f32)
    (param $weights i32) (param $sums i32)
    (local $end i32) (local $number v128) (local $power v128) (local $rounded v128) (local $sum v128)
    (local $bests v128) (local $heats v128) (local $floors v128) (local $round v128)
    (local.set $bests (f32x4.splat (local.get $best)))
    (local.set $heats (f32x4.splat (local.get $heat)))
    (local.set $floors (f32x4.splat (local.get $floor)))
    ;; Adding 1.5 * 2^23 rounds to a whole number, which is then in the lowest bits.
    (local.set $round (v128.const f32x4 12582912 12582912 12582912 12582912))
    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $sum (v128.const f32x4 0 0 0 0))
        (local.set $end (i32.add (local.get $from) (i32.const 1024)))
        (loop $numbers
          (local.set $number (v128.load (local.get $from)))
          (local.set $power (f32x4.mul (f32x4.sub (local.get $number) (local.get $bests)) (local.get $heats)))
          (local.set $rounded (f32x4.add (local.get $power) (local.get $round)))
          ;; Which numbers count at all; then `$number` is free for the fraction of the power, from -0.5 to 0.5.
          (v128.and
            (f32x4.ge (local.get $number) (local.get $floors))
            (f32x4.gt (local.get $power) (v128.const f32x4 -58 -58 -58 -58)))
          (local.set $number
            (f32x4.sub (local.get $power) (f32x4.sub (local.get $rounded) (local.get $round))))
          ;; 2^fraction: the first terms of its series, ln(2)^n / n!.
          (v128.const f32x4 0x1.430912p-13 0x1.430912p-13 0x1.430912p-13 0x1.430912p-13)
          (f32x4.mul (local.get $number))
          (f32x4.add (v128.const f32x4 0x1.5d87fep-10 0x1.5d87fep-10 0x1.5d87fep-10 0x1.5d87fep-10))
          (f32x4.mul (local.get $number))
          (f32x4.add (v128.const f32x4 0x1.3b2ab6p-7 0x1.3b2ab6p-7 0x1.3b2ab6p-7 0x1.3b2ab6p-7))
          (f32x4.mul (local.get $number))
          (f32x4.add (v128.const f32x4 0x1.c6b08ep-5 0x1.c6b08ep-5 0x1.c6b08ep-5 0x1.c6b08ep-5))
          (f32x4.mul (local.get $number))
          (f32x4.add (v128.const f32x4 0x1.ebfbep-3 0x1.ebfbep-3 0x1.ebfbep-3 0x1.ebfbep-3))
          (f32x4.mul (local.get $number))
          (f32x4.add (v128.const f32x4 0x1.62e43p-1 0x1.62e43p-1 0x1.62e43p-1 0x1.62e43p-1))
          (f32x4.mul (local.get $number))
          (f32x4.add (v128.const f32x4 1 1 1 1))
          ;; Times 2^whole: added to the exponent.
          (i32x4.add (i32x4.shl (local.get $rounded) (i32.const 23)))
          (v128.and)
          (local.set $power)
          (v128.store (local.get $weights) (local.get $power))
          (local.set $sum (f32x4.add (local.get $sum) (local.get $power)))
          (local.set $weights (i32.add (local.get $weights) (i32.const 16)))
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (br_if $numbers (i32.lt_u (local.get $from) (local.get $end))))
        (f64.store (local.get $sums)
          (f64.add
            (f64.add
              (f64.promote_f32 (f32x4.extract_lane 0 (local.get $sum)))
              (f64.promote_f32 (f32x4.extract_lane 1 (local.get $sum))))
            (f64.add
              (f64.promote_f32 (f32x4.extract_lane 2 (local.get $sum)))
              (f64.promote_f32 (f32x4.extract_lane 3 (local.get $sum))))))
        (local.set $sums (i32.add (local.get $sums) (i32.const 8)))
        (br $blocks))))

  ;; Writes the indexes of all numbers that are not below the floor, and returns the end of what it wrote.
  (func (export "collect") (param $from i32) (param $to i32) (param $floor f32) (param $out i32) (result i32)
    (local $floors v128) (local $found i32)
    (local.set $floors (f32x4.splat (local.get $floor)))
    (block $done
      (loop $numbers
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        ;; One bit for each of 16 numbers.
        (i8x16.narrow_i16x8_s
          (i16x8.narrow_i32x4_s
            (f32x4.ge (v128.load (local.get $from)) (local.get $floors))
            (f32x4.ge (v128.load offset=16 (local.get $from)) (local.get $floors)))
          (i16x8.narrow_i32x4_s
            (f32x4.ge (v128.load offset=32 (local.get $from)) (local.get $floors))
            (f32x4.ge (v128.load offset=48 (local.get $from)) (local.get $floors))))
        (local.set $found (i8x16.bitmask))
        (block $none
          (br_if $none (i32.eqz (local.get $found)))
          (loop $bits
            (i32.store (local.get $out)
              (i32.add (i32.shr_u (local.get $from) (i32.const 2)) (i32.ctz (local.get $found))))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
            (br_if $bits (local.get $found))))
        (local.set $from (i32.add (local.get $from) (i32.const 64)))
        (br $numbers)))
    (local.get $out)))
