/** Opens an evenly spread sample. Whenever it has `most` items, every second one is dropped, so that each stands for `weight` items. */
export function openSample<One>(most: number) {
  let kept: One[] = [];
  let [count, weight] = [0, 1];
  return {
    add(makeOne: () => One): void {
      if (count++ % weight !== 0) return;
      kept.push(makeOne());
      if (kept.length < most) return;
      kept = kept.filter((_, i) => i % 2 === 0);
      weight *= 2;
    },
    count: () => count,
    weight: () => weight,
    list: (): readonly One[] => kept,
  };
}
