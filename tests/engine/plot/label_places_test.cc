// SPDX-License-Identifier: MIT
#include "engine/plot/svg_writer.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

TEST(LabelPlaces, BoxesOverlapWhenNoEdgePartsThem) {
  const PictureBox box = turned_box({10, 30}, 20, 20, 0);  // from (10, 10) to (30, 30)
  EXPECT_TRUE(overlap(box, turned_box({25, 35}, 20, 20, 0)));
  EXPECT_TRUE(overlap(box, turned_box({15, 25}, 2, 2, 0))) << "one inside the other";
  EXPECT_FALSE(overlap(box, turned_box({30, 30}, 20, 20, 0))) << "a shared edge";
  EXPECT_FALSE(overlap(box, turned_box({31, 30}, 20, 20, 0)));
  // Their bounding boxes overlap, they do not.
  EXPECT_FALSE(overlap(box, turned_box({32, 28}, 40, 4, 45)));
}

TEST(LabelPlaces, ALineIsABoxOfNoHeight) {
  const PictureBox box = turned_box({10, 30}, 20, 20, 0);
  EXPECT_TRUE(overlap(box, line_box({0, 0}, {40, 40})));
  EXPECT_TRUE(overlap(line_box({40, 0}, {0, 40}), box));
  EXPECT_FALSE(overlap(box, line_box({0, 25}, {15, 40})));
  EXPECT_FALSE(overlap(box, line_box({0, 5}, {40, 5})));
}

TEST(LabelPlaces, TurnsAroundTheLowerLeftCorner) {
  const PictureBox up =
      turned_box({100, 100}, 50, 10, -90);  // reads upwards: its height goes to the left
  EXPECT_NEAR(up.corners[1].x, 100, 1e-9);
  EXPECT_NEAR(up.corners[1].y, 50, 1e-9);
  EXPECT_NEAR(up.corners[2].x, 90, 1e-9);
  EXPECT_NEAR(up.corners[2].y, 50, 1e-9);
}

TEST(LabelPlaces, TakesTheFirstFreePlaceElseTheLeastCrowded) {
  LabelPlaces places;
  places.block(line_box({0, 10}, {100, 10}));
  const PictureBox crossed = turned_box({10, 15}, 20, 10, 0),
                   free = turned_box({10, 30}, 20, 10, 0), other = turned_box({10, 60}, 20, 10, 0);
  EXPECT_EQ(places.choose({crossed, free, other}), 1U);
  EXPECT_EQ(places.choose({crossed, free, other}), 2U) << "the first is taken now";
  places.block(line_box({0, 12}, {100, 12}));
  EXPECT_EQ(places.choose({crossed, free}), 1U) << "one line under it, not two";
}

}  // namespace
}  // namespace rpl
