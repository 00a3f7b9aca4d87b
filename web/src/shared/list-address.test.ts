import { expect, it } from "vitest";
import { listAddress, listQuery, readListQuery } from "./list-address.ts";

it.each([
  ["typeId=3&orderby=hot", { typeId: 3, orderby: "hot" }],
  ["", { typeId: 0, orderby: "new" }],
  ["typeId=-1&orderby=old", { typeId: 0, orderby: "new" }],
  ["typeId=1e3&orderby=new", { typeId: 0, orderby: "new" }],
  ["typeId=99999999999", { typeId: 0, orderby: "new" }],
])("reads %s", (text, expected) => {
  expect(readListQuery(new URLSearchParams(text))).toEqual(expected);
});

it("writes what it reads", () => {
  expect(readListQuery(new URLSearchParams(listQuery({ typeId: 7, orderby: "hot" })))).toEqual({
    typeId: 7,
    orderby: "hot",
  });
});

it("leads to a category in the default order", () => {
  expect(listAddress(72)).toBe("/list?typeId=72&orderby=new");
});
